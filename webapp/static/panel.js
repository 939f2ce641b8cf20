// One tile opened: its picture, the likeliest readings first, every other reading after them.

function tilePanel(view) {
  const { ui, player, words } = view;
  const tile = player.tiles.find((each) => each.cell === ui.selected);
  const place = player.places.find((each) => each.cell === ui.selected);
  const hex = tile ?? place;
  if (!hex) return null;
  const title = tile ? tile.label : words["panel.add"];
  const next = view.nextDoubtful(ui.selected);
  return html(
    "section",
    { class: "panel", role: "dialog", "aria-label": title },
    html(
      "header",
      {},
      picture(view, hex, tile),
      html("h2", { tabindex: "-1", "data-focus": "panel" }, title),
      html("button", { class: "plain close", "data-focus": "close", "aria-label": words["panel.close"], onclick: () => view.close() }, "✕"),
    ),
    tile ? tokenChoices(view, tile) : null,
    terrainChoices(view, hex, tile),
    tile
      ? html(
          "footer",
          {},
          tile.doubt
            ? html("button", { class: "strong", "data-focus": "right", onclick: () => view.confirm(tile) }, "✓ ", words["panel.right"])
            : null,
          next && next !== tile.cell
            ? html("button", { "data-focus": "next", onclick: () => view.select(next) }, words["review.next"], " ›")
            : null,
          html("button", { class: "plain danger", "data-focus": "remove", onclick: () => view.remove(tile) }, words["panel.remove"]),
        )
      : null,
  );
}

/** The tile's own part of the photo, large; drawn where there is no photo. */
function picture(view, hex, tile) {
  const photo = view.photo;
  if (!photo) return tile ? tilePicture(hex.corners, tile.terrain, tile.token) : null;
  const width = tileWidth(hex.corners) * 1.5;
  const [x, y] = mean(hex.corners);
  const [photoWidth, photoHeight] = view.player.photo_size;
  return svg(
    "svg",
    { viewBox: `${x - width / 2} ${y - width / 2} ${width} ${width}`, class: "crop", role: "img", "aria-label": view.words["board.photo"] },
    svg("image", { href: photo, x: 0, y: 0, width: photoWidth, height: photoHeight, preserveAspectRatio: "none" }),
    svg("polygon", { points: path(hex.corners), class: "crop-outline" }),
  );
}

function tokenChoices(view, tile) {
  const { words } = view;
  const likely = new Map(tile.tokens.map((each) => [each.token ?? "none", each.probability]));
  return html(
    "div",
    { class: "choices tokens", role: "group", "aria-label": words.token },
    [...SPECIES, "none"].map((name) => {
      const token = name === "none" ? null : name;
      const label = token ? words[token] : words.no_token;
      const chance = tile.token === token ? null : likely.get(name);
      return html(
        "button",
        {
          class: chance ? "choice likely" : "choice",
          "data-focus": `token ${name}`,
          "aria-pressed": tile.token === token ? "true" : "false",
          "aria-label": chance ? `${label}, ${percent(view, chance)}` : label,
          onclick: () => view.setToken(tile, token),
        },
        html("span", { class: `disc ${name}` }, icon(name)),
        html("span", { class: "label" }, label),
        chance ? html("span", { class: "chance" }, shortPercent(chance)) : null,
      );
    }),
  );
}

const shortPercent = (chance) => `${Math.max(1, Math.round(chance * 100))} %`;
const percent = (view, chance) => phrase(view.words, "panel.likelihood", { percent: Math.max(1, Math.round(chance * 100)) });

function terrainChoices(view, hex, tile) {
  const { words } = view;
  const same = (a, b) => a.every((name, edge) => name === b[edge]);
  const button = (terrain, key, extra = {}, ...more) =>
    html(
      "button",
      {
        class: "choice hexagon",
        "data-focus": `terrain ${key}`,
        "aria-pressed": tile && same(tile.terrain, terrain) ? "true" : "false",
        "aria-label": terrainName(words, terrain),
        onclick: () => view.setTerrain(hex, terrain),
        ...extra,
      },
      tilePicture(hex.corners, terrain),
      ...more,
    );
  const likely = (tile?.terrains ?? []).map((each, number) =>
    button(
      each.terrain,
      `likely ${number}`,
      { "aria-label": `${terrainName(words, each.terrain)}, ${percent(view, each.probability)}` },
      html("span", { class: "chance" }, shortPercent(each.probability)),
    ),
  );
  const every = terrainPairs(tile?.terrain).map((terrain, number) => button(terrain, `every ${number}`));
  const turned = tile && halves(tile.terrain).length === 2 ? turns(tile.terrain) : [];
  return [
    likely.length
      ? html("div", { class: "choices", role: "group", "aria-label": words["panel.likely"] }, html("h3", {}, words["panel.likely"]), likely)
      : null,
    turned.length
      ? html(
          "div",
          { class: "choices turns", role: "group", "aria-label": words["panel.turn"] },
          html("h3", {}, words["panel.turn"]),
          turned.map((terrain, number) =>
            button(terrain, `turn ${number}`, { "aria-label": `${words["panel.turn"]}: ${number * 60}°` }),
          ),
        )
      : null,
    html("div", { class: "choices", role: "group", "aria-label": words.habitat }, html("h3", {}, words.habitat), every),
  ];
}

function terrainName(words, terrain) {
  const names = halves(terrain).map(([name]) => words[name]);
  return names.length === 1 ? names[0] : phrase(words, "pair", { first: names[0], second: names[1] });
}

/** The six turns of a tile with two terrains, the present one first. */
const turns = (terrain) => [0, 1, 2, 3, 4, 5].map((turn) => terrain.map((_, edge) => terrain[(edge - turn + 6) % 6]));

/** Every single terrain and every pair, divided as the present tile is, shared terrains where they lie now. */
function terrainPairs(present) {
  const start = present ? Math.max(0, present.findIndex((name, edge) => name !== present[(edge + 5) % 6])) : 0;
  const [first, second] = present ? [present[start], present[(start + 3) % 6]] : [null, null];
  const all = [];
  TERRAINS.forEach((one, number) => {
    all.push(Array(6).fill(one));
    for (const other of TERRAINS.slice(number + 1)) {
      const swap = first !== second && (first === other || second === one);
      const [here, there] = swap ? [other, one] : [one, other];
      const edges = Array(6).fill(there);
      for (let step = 0; step < 3; step++) edges[(start + step) % 6] = here;
      all.push(edges);
    }
  });
  return all;
}
