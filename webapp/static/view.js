// The whole score view: which player, which tile and which number are open is kept here; the game itself is
// kept by the page, which is told of every action and answers with new data.

/** Per mounted element: what is open, and the actions that the page has not confirmed yet. */
const mounted = new WeakMap();

/**
 * Actions go to the page in a numbered list and leave it when the page confirms them, so that none is lost
 * when taps come faster than answers, and none is done twice after a dropped connection or a reload.
 */
function outbox(game) {
  const place = `cascadia outbox ${game}`;
  let kept = null;
  try {
    kept = JSON.parse(sessionStorage.getItem(place));
  } catch {
    // Storage is closed to this page or holds something else: begin anew.
  }
  const box = {
    page: kept?.page ?? `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 10)}`,
    number: kept?.number ?? 0,
    actions: kept?.actions ?? [],
    seat: kept?.seat ?? 0,
    keep() {
      try {
        sessionStorage.setItem(place, JSON.stringify({ page: box.page, number: box.number, actions: box.actions, seat: box.seat }));
      } catch {
        // Without storage corrections still work; they only do not survive a reload while offline.
      }
    },
  };
  return box;
}

function firstSeat(data, wanted) {
  if (data.players[wanted]?.tiles) return wanted;
  return Math.max(0, data.players.findIndex((player) => player.tiles));
}

export default function scoreView({ data, parentElement, setStateValue }) {
  let state = mounted.get(parentElement);
  const fresh = state?.game !== data.game;
  if (fresh) {
    const box = outbox(data.game);
    state = { game: data.game, box, ui: { seat: firstSeat(data, data.show ?? box.seat), selected: null, highlight: null, drawing: false, grid: false, zoom: null, houseRules: false } };
    mounted.set(parentElement, state);
  }
  const { box, ui } = state;
  state.unlisten?.(); // the listeners of the last call would draw its data, which is old now
  const confirmed = data.applied[box.page] ?? 0;
  box.number = Math.max(box.number, confirmed);
  box.actions = box.actions.filter((action) => action.number > confirmed);
  box.keep();
  for (const action of box.actions) foresee(data, action);
  ui.seat = firstSeat(data, ui.seat);

  const root = parentElement.querySelector("#score-view");
  const view = {
    data,
    ui,
    words: data.words,
    get player() {
      return data.players[ui.seat];
    },
    get photo() {
      return this.player.photo ? (window.cascadiaPhotos?.get(this.player.photo) ?? null) : null;
    },
    get solid() {
      return ui.drawing || !this.photo;
    },
    get firstStop() {
      return ui.selected ?? this.player.review?.[0] ?? this.player.tiles[0]?.cell ?? this.player.places[0]?.cell;
    },
    nameOf: (seat) => data.players[seat].name,
    nextDoubtful(after) {
      const order = this.player.review ?? [];
      return order[(order.indexOf(after) + 1) % order.length];
    },
    send(action) {
      box.number += 1;
      const numbered = { ...action, number: box.number };
      box.actions.push(numbered);
      box.keep();
      foresee(data, numbered);
      setStateValue("outbox", { page: box.page, actions: box.actions });
      render();
    },
    edit(action) {
      this.send({ ...action, seat: ui.seat });
    },
    select(cell) {
      if (ui.selected === cell) return this.close();
      ui.selected = cell;
      ui.highlight = null;
      render();
      focus("panel");
      reveal(root, cell);
    },
    close() {
      const cell = ui.selected;
      ui.selected = null;
      render();
      if (cell) focus(`hex ${cell}`);
    },
    setToken(tile, token) {
      this.edit({ type: "token", cell: tile.cell, token });
    },
    setTerrain(hex, terrain) {
      this.edit({ type: "terrain", cell: hex.cell, terrain });
    },
    confirm(tile) {
      const next = this.nextDoubtful(tile.cell);
      this.edit({ type: "confirm", cell: tile.cell });
      if (next && next !== tile.cell) this.select(next);
      else this.close();
    },
    remove(tile) {
      ui.selected = null;
      this.edit({ type: "remove", cell: tile.cell });
    },
    show(seat) {
      ui.seat = seat;
      ui.selected = null;
      ui.zoom = null;
      if (ui.highlight?.seat !== seat) ui.highlight = null;
      box.seat = seat;
      box.keep();
      render();
    },
    explain(seat, key) {
      const same = ui.highlight?.seat === seat && ui.highlight.key === key;
      if (ui.seat !== seat) this.show(seat);
      ui.selected = null;
      ui.highlight = same ? null : explained(this, seat, key);
      render();
      // The board now stays above the pad: keep the number in sight below it.
      root.querySelector(`[data-number="${key} ${seat}"]`)?.scrollIntoView({ block: "nearest", behavior: "instant" });
    },
    focus,
  };

  function focus(key) {
    root.querySelector(`[data-focus="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
  }

  function render() {
    const active = root.getRootNode().activeElement?.dataset?.focus;
    if (ui.highlight) ui.highlight = explained(view, ui.highlight.seat, ui.highlight.key);
    draw(root, view, box.actions.length);
    if (active) focus(active);
  }

  render();
  // On the whole document: a button that has just been switched off has lost the focus to it.
  const escape = (event) => event.key === "Escape" && ui.selected && view.close();
  document.addEventListener("keydown", escape);
  const redraw = () => render();
  window.addEventListener("cascadia-photo", redraw);
  // After a reload with actions still under way: hand them in again.
  if (fresh && box.actions.length) setStateValue("outbox", { page: box.page, actions: box.actions });
  state.unlisten = () => {
    window.removeEventListener("cascadia-photo", redraw);
    document.removeEventListener("keydown", escape);
  };
  return state.unlisten;
}

/** Show a correction at once; the page's answer with the new score replaces this a moment later. */
function foresee(data, action) {
  const player = data.players[action.seat];
  const tile = player?.tiles?.find((each) => each.cell === action.cell);
  if (action.type === "token" && tile) tile.token = action.token;
  if (action.type === "terrain" && tile) tile.terrain = action.terrain;
  if (["token", "terrain", "confirm"].includes(action.type) && tile) Object.assign(tile, { doubt: null, decides: false, tokens: [], terrains: [] });
  if (action.type === "remove" && player) player.tiles = player.tiles.filter((each) => each !== tile);
  if (action.type === "card") data.cards[action.species] = action.letter;
  if (action.type === "variant") data.variant = action.variant;
  if (action.type === "majority") data.majority = action.majority;
  if (action.type === "house_rule") data.house_rules[action.rule] = action.on;
}

/** Bring a tile into sight above the panel. */
function reveal(root, cell) {
  root.querySelector(`[data-cell="${CSS.escape(cell)}"]`)?.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
}

function draw(root, view, unconfirmed) {
  const { ui, words, player } = view;
  if (!root.firstChild) {
    root.append(
      html("nav", { class: "seats" }),
      html("div", { class: "review" }),
      html("div", { class: "stage" }, html("div", { class: "sight" }, boardFrame()), html("div", { class: "explanation" })),
      html("div", { class: "tools", role: "toolbar" }),
      html("div", { class: "notes" }),
      html("div", { class: "side" }, html("div", { class: "opened" }), html("div", { class: "sheet" })),
    );
  }
  const fill = (selector, ...children) => root.querySelector(selector).replaceChildren(...children.flat().filter(Boolean));
  root.classList.toggle("explaining", Boolean(ui.highlight));
  root.dataset.unconfirmed = String(unconfirmed);
  fill(".seats", seats(view));
  fill(".review", player.tiles ? reviewLine(view) : []);
  fill(".explanation", player.tiles ? whyBox(view) : []);
  fill(".tools", player.tiles ? tools(view) : []);
  fill(".notes", notes(view));
  fill(".opened", player.tiles ? tilePanel(view) : null);
  fill(".sheet", scorePad(view));
  drawBoard(root, view);
}

function boardFrame() {
  return svg("svg", { class: "board", role: "group" }, svg("image", { preserveAspectRatio: "none" }), svg("rect", { class: "veil" }), svg("g", { class: "overlay" }));
}

function drawBoard(root, view) {
  const { ui, player, words } = view;
  const board = root.querySelector(".board");
  root.querySelector(".sight").hidden = !player.tiles;
  if (!player.tiles) return;
  const [x, y, width, height] = player.view;
  board.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  board.setAttribute("aria-label", phrase(words, "board", { name: player.name }));
  if (ui.zoom === null) ui.zoom = comfortable(root, player);
  board.classList.toggle("whole", ui.zoom === 1);
  const zoomed = `${ui.zoom * 100}%`;
  if (board.style.width !== zoomed) {
    board.style.width = zoomed;
    requestAnimationFrame(() => {
      const sight = root.querySelector(".sight");
      sight.scrollLeft = (sight.scrollWidth - sight.clientWidth) / 2;
    });
  }
  const image = board.querySelector("image");
  const photo = view.solid ? null : view.photo;
  image.style.display = photo ? "" : "none";
  if (photo && image.dataset.photo !== player.photo) {
    image.setAttribute("href", photo);
    image.dataset.photo = player.photo;
  }
  const frame = { x: photo ? 0 : x, y: photo ? 0 : y, width: photo ? player.photo_size[0] : width, height: photo ? player.photo_size[1] : height };
  for (const [name, value] of Object.entries(frame)) {
    image.setAttribute(name, value);
    board.querySelector(".veil").setAttribute(name, value);
  }
  board.querySelector(".veil").classList.toggle("drawn", view.solid);
  board.style.setProperty("--stroke", `${tileWidth((player.tiles[0] ?? player.places[0]).corners) / 60}px`);
  board.querySelector(".overlay").replaceChildren(...boardOverlay(view));
}

/** The least zoom that makes a tile 44 pixels wide, so that it can be tapped. */
function comfortable(root, player) {
  const corners = (player.tiles[0] ?? player.places[0]).corners;
  const shown = (tileWidth(corners) / player.view[2]) * (root.querySelector(".sight").clientWidth || 360);
  return Math.min(3, Math.max(1, 44 / shown));
}

function seats(view) {
  const { data, ui, words } = view;
  if (data.players.length === 1) return [];
  return data.players.map((player, seat) =>
    html(
      "button",
      {
        class: "seat",
        "data-focus": `seat ${seat}`,
        "aria-pressed": ui.seat === seat ? "true" : "false",
        disabled: !player.tiles,
        title: player.tiles ? null : phrase(words, "board.empty", { name: player.name }),
        onclick: () => view.show(seat),
      },
      player.name,
      player.review?.length ? html("span", { class: "count", "aria-label": words.doubt }, `? ${player.review.length}`) : null,
    ),
  );
}

function reviewLine(view) {
  const { player } = view;
  return [
    html("p", { role: "status" }, player.review_line, player.review_rest ? html("small", {}, ` ${player.review_rest}`) : null),
    player.review.length
      ? html("button", { class: "strong", "data-focus": "review", onclick: () => view.select(view.nextDoubtful(view.ui.selected)) }, view.words["review.start"], " ›")
      : null,
  ];
}

function tools(view) {
  const { words, data, ui } = view;
  const tool = (name, label, onclick, extra = {}) =>
    html("button", { class: "tool", "data-focus": `tool ${name}`, "aria-label": label, title: label, onclick, ...extra }, icon(name), html("span", { class: "label", "aria-hidden": "true" }, label));
  const redraw = (change) => () => {
    change();
    view.show(ui.seat);
  };
  return [
    tool("undo", words.undo, () => view.send({ type: "undo" }), { disabled: !data.can_undo }),
    tool("redo", words.redo, () => view.send({ type: "redo" }), { disabled: !data.can_redo }),
    tool("zoom", words.zoom, () => {
      ui.zoom = ui.zoom >= 2.2 ? 1 : ui.zoom * 1.5;
      view.close();
    }),
    view.photo
      ? tool(ui.drawing ? "photo" : "drawing", ui.drawing ? words["board.photo"] : words["board.drawing"], redraw(() => (ui.drawing = !ui.drawing)))
      : null,
    view.photo && view.player.tiles.length
      ? tool("grid", words.grid, redraw(() => (ui.grid = !ui.grid)), { "aria-pressed": ui.grid ? "true" : "false" })
      : null,
    ui.grid ? gridTools(view) : null,
  ].filter(Boolean);
}

function gridTools(view) {
  const { words } = view;
  const move = (key, sign, change) =>
    html("button", { class: "tool", "data-focus": `grid ${key}`, "aria-label": words[`grid.${key}`], title: words[`grid.${key}`], onclick: () => view.edit({ type: "grid", ...change }) }, sign);
  return html(
    "div",
    { class: "grid-tools", role: "group", "aria-label": words.grid },
    html("p", {}, words["grid.help"]),
    move("left", "←", { right: -0.25 }),
    move("right", "→", { right: 0.25 }),
    move("up", "↑", { down: -0.25 }),
    move("down", "↓", { down: 0.25 }),
    move("turn_left", "⟲", { turn: -5 }),
    move("turn_right", "⟳", { turn: 5 }),
    move("smaller", "−", { scale: 0.95 }),
    move("larger", "+", { scale: 1.05 }),
  );
}

function notes(view) {
  const { player, words } = view;
  const gone = player.photo_gone ? html("p", { class: "gone" }, words["board.photo_gone"]) : null;
  if (!player.warnings?.length) return [gone];
  if (player.warnings.length === 1) return [gone, html("p", { class: "unusual" }, player.warnings[0])];
  return [gone, html("details", {}, html("summary", {}, phrase(words, "warnings", { count: player.warnings.length })), html("ul", {}, player.warnings.map((warning) => html("li", {}, warning))))];
}
