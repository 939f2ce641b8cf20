// The pad as on paper: a column for every player; every number is a button that shows where it comes from.

/** What lights up for a number of the pad: a title, and the groups with points, cells and reason. */
function explained(view, seat, key) {
  const { words, data } = view;
  const entry = data.sheet?.players.find((each) => each.seat === seat);
  if (!entry) return null;
  const [kind, name] = key.split(" ");
  if (kind === "wildlife") {
    const score = entry.wildlife[name];
    const letter = data.variant ? null : data.cards[name];
    const title = letter ? `${words[name]} ${letter} (${words[`${name}.${letter}`]})` : words[name];
    return { seat, key, title, points: score.points, groups: score.groups };
  }
  if (kind === "habitat") {
    const { size, cells, bonus } = entry.habitats[name];
    const reason = phrase(words, "why.size", { count: size });
    const more = bonus ? ` + ${phrase(words, "bonus", { points: bonus })}` : "";
    return { seat, key, title: words[name], points: size + bonus, groups: size ? [{ points: size, cells, reason: reason + more }] : [] };
  }
  return null;
}

function whyBox(view) {
  const { words, ui } = view;
  if (!ui.highlight) return html("p", { class: "why quiet" }, words.why);
  const { title, points, groups } = ui.highlight;
  return html(
    "div",
    { class: "why", role: "status", "aria-live": "polite" },
    html("strong", {}, `${title}: ${phrase(words, "points", { count: points })}`),
    groups.length
      ? html(
          "ol",
          {},
          groups.map((group, number) =>
            html("li", {}, html("span", { class: "number" }, String(number + 1)), ` ${group.reason}`, html("b", {}, ` ${group.points}`)),
          ),
        )
      : html("span", {}, ` ${words["why.none"]}`),
  );
}

function scorePad(view) {
  const { words, data } = view;
  const sheet = data.sheet;
  if (!sheet) return null;
  const column = (row) => sheet.players.map(row);
  const sum = (key, label, value, className = "sum") =>
    html("tr", { class: className }, html("th", { scope: "row" }, label), column((entry) => html("td", { "data-sum": `${key} ${entry.seat}` }, value(entry))));
  const several = sheet.players.length > 1;
  return html(
    "section",
    { class: several ? "pad several" : "pad", "aria-label": words.pad },
    html("p", { class: "headline", role: "status", "aria-live": "polite" }, data.headline),
    rules(view),
    html(
      "table",
      {},
      html("thead", {}, html("tr", {}, html("th", { scope: "col" }), column((entry) => playerHead(view, entry)))),
      html(
        "tbody",
        {},
        SPECIES.map((name) =>
          html(
            "tr",
            {},
            html("th", { scope: "row" }, html("span", { class: "rowhead" }, html("span", { class: `disc ${name}` }, icon(name)), html("span", { class: "name" }, words[name]), cardChoice(view, name))),
            column((entry) => number(view, entry.seat, `wildlife ${name}`, String(entry.wildlife[name].points))),
          ),
        ),
        sum("wildlife_total", words.wildlife_total, (entry) => String(entry.wildlife_total)),
        TERRAINS.map((name) =>
          html(
            "tr",
            {},
            html("th", { scope: "row" }, html("span", { class: "rowhead" }, html("span", { class: `patch ${name}` }, icon(name)), html("span", { class: "name" }, words[name]))),
            column((entry) => {
              const { size, bonus } = entry.habitats[name];
              return number(view, entry.seat, `habitat ${name}`, String(size), bonus);
            }),
          ),
        ),
        sum("habitat_total", words.habitat_total, (entry) => String(entry.habitat_total)),
        data.majority ? sum("bonus_total", words.bonus_total, (entry) => String(entry.bonus_total)) : null,
        html(
          "tr",
          {},
          html("th", { scope: "row" }, html("span", { class: "rowhead" }, html("span", { class: "disc nature" }, icon("nature")), html("span", { class: "name" }, words.nature_tokens))),
          column((entry) => stepper(view, entry)),
        ),
        sum("total", words.total, (entry) => String(entry.total), "sum total"),
        several ? sum("rank", words.rank, (entry) => phrase(words, "rank.value", { rank: entry.rank }), "sum") : null,
      ),
    ),
  );
}

function playerHead(view, entry) {
  return html(
    "th",
    { scope: "col" },
    html(
      "button",
      { class: "plain head", "data-focus": `head ${entry.seat}`, "aria-pressed": view.ui.seat === entry.seat ? "true" : "false", onclick: () => view.show(entry.seat) },
      entry.name,
    ),
  );
}

function number(view, seat, key, text, bonus = 0) {
  const { ui, words } = view;
  const lit = ui.highlight?.seat === seat && ui.highlight.key === key;
  const name = words[key.split(" ")[1]];
  return html(
    "td",
    {},
    html(
      "button",
      {
        class: "number plain",
        "data-focus": `number ${key} ${seat}`,
        "data-number": `${key} ${seat}`,
        "aria-pressed": lit ? "true" : "false",
        "aria-label": `${view.nameOf(seat)}, ${name}: ${text}${bonus ? ` + ${phrase(words, "bonus", { points: bonus })}` : ""}`,
        onclick: () => view.explain(seat, key),
      },
      text,
      bonus ? html("sup", {}, `+${bonus}`) : null,
    ),
  );
}

function cardChoice(view, species) {
  const { words, data } = view;
  if (data.variant) return null;
  const chosen = data.cards[species];
  // The letter is drawn and the list lies unseen over it: a closed list would show its whole line, cut off.
  return html(
    "span",
    { class: "card", title: words[`${species}.${chosen}`] },
    html("span", { "aria-hidden": "true" }, chosen),
    html(
      "select",
      {
        "data-focus": `card ${species}`,
        "aria-label": phrase(words, "card.of", { species: words[species] }),
        onchange: (event) => view.send({ type: "card", species, letter: event.target.value }),
      },
      data.letters.map((letter) => html("option", { value: letter, selected: chosen === letter }, `${letter}: ${words[`${species}.${letter}`]}`)),
    ),
  );
}

function rules(view) {
  const { words, data } = view;
  return html(
    "div",
    { class: "rules" },
    html(
      "select",
      {
        "data-focus": "variant",
        "aria-label": words.variant,
        onchange: (event) => view.send({ type: "variant", variant: event.target.value || null }),
      },
      [
        ["", "variant.cards"],
        ["family", "variant.family"],
        ["intermediate", "variant.intermediate"],
      ].map(([value, key]) => html("option", { value, selected: (data.variant ?? "") === value }, words[key])),
    ),
    html(
      "label",
      { class: "check" },
      html("input", { type: "checkbox", "data-focus": "majority", checked: data.majority, onchange: (event) => view.send({ type: "majority", majority: event.target.checked }) }),
      words.majority,
    ),
    data.variant ? null : houseRules(view),
  );
}

function houseRules(view) {
  const { words, data, ui } = view;
  return html(
    "details",
    { open: ui.houseRules, ontoggle: (event) => (ui.houseRules = event.target.open) },
    html("summary", { "data-focus": "house rules" }, words.house_rules),
    Object.entries(data.house_rules).map(([rule, on]) =>
      html(
        "label",
        { class: "check" },
        html("input", { type: "checkbox", "data-focus": `rule ${rule}`, checked: on, onchange: (event) => view.send({ type: "house_rule", rule, on: event.target.checked }) }),
        words[rule],
      ),
    ),
  );
}

function stepper(view, entry) {
  const { words } = view;
  const step = (change, label, sign) =>
    html(
      "button",
      {
        class: "step",
        "data-focus": `nature ${sign} ${entry.seat}`,
        "aria-label": `${view.nameOf(entry.seat)}: ${label}`,
        disabled: entry.nature_tokens + change < 0,
        onclick: () => view.send({ type: "nature", seat: entry.seat, count: entry.nature_tokens + change }),
      },
      sign,
    );
  return html(
    "td",
    {},
    html(
      "span",
      { class: "stepper" },
      step(-1, words["nature.less"], "−"),
      html("output", { "data-nature": String(entry.seat) }, String(entry.nature_tokens)),
      step(1, words["nature.more"], "+"),
    ),
  );
}
