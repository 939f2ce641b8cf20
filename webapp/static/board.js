// The photo with the reading over it: one element per tile, one per empty neighbour place.

const mean = (points) => [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
const between = (a, b, share) => [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
const path = (points) => points.map((point) => point.map((value) => value.toFixed(1)).join(",")).join(" ");
const tileWidth = (corners) => {
  const [a, b] = [mean([corners[0], corners[1]]), mean([corners[3], corners[4]])];
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
};

/** The edges of each terrain of a tile, in a row: [["forest", [0, 1, 2]], ["river", [3, 4, 5]]]. */
function halves(terrain) {
  const start = terrain.findIndex((name, edge) => name !== terrain[(edge + 5) % 6]);
  if (start < 0) return [[terrain[0], [0, 1, 2, 3, 4, 5]]];
  const row = (first) => [0, 1, 2].map((step) => (first + step) % 6);
  return [row(start), row(start + 3)].map((edges) => [terrain[edges[0]], edges]);
}

/** The outline of one half: edge i runs from corner i to corner i + 1. */
function halfOutline(corners, edges) {
  if (edges.length === 6) return corners;
  return [...edges.map((edge) => corners[edge]), corners[(edges[2] + 1) % 6]];
}

function placedIcon(name, [x, y], size, className) {
  const scale = size / 24;
  return svg(
    "g",
    { transform: `translate(${x - size / 2} ${y - size / 2}) scale(${scale})`, class: className },
    iconShape(name),
  );
}

/** A tile drawn into `corners`: whole (`solid`), or as a band along its edges that leaves the photo visible. */
function tileShapes(corners, terrain, token, solid) {
  const center = mean(corners);
  const width = tileWidth(corners);
  const shapes = [];
  for (const [name, edges] of halves(terrain)) {
    const outline = halfOutline(corners, edges);
    if (solid) {
      shapes.push(svg("polygon", { points: path(outline), class: `half ${name}` }));
    } else {
      for (const edge of edges) {
        const [from, to] = [corners[edge], corners[(edge + 1) % 6]];
        const band = [from, to, between(to, center, 0.17), between(from, center, 0.17)];
        shapes.push(svg("polygon", { points: path(band), class: `band ${name}` }));
      }
    }
    const whole = edges.length === 6;
    const middle = whole ? corners[5] : mean(outline.slice(1, -1));
    // A drawn tile without a token has room in the middle; elsewhere the mark keeps to the edge.
    const inward = solid && !token ? (whole ? 1 : 0.45) : whole ? 0.24 : 0.2;
    const at = between(middle, center, inward);
    const size = width * (solid ? (token ? 0.24 : 0.32) : 0.2);
    shapes.push(svg("circle", { cx: at[0], cy: at[1], r: size * 0.68, class: `spot ${name}` }));
    shapes.push(placedIcon(name, at, size, "mark"));
  }
  if (token) {
    const size = width * (solid ? 0.3 : 0.25);
    const lowest = Math.max(...corners.map((corner) => corner[1]));
    const at = solid ? center : [center[0], center[1] + (lowest - center[1]) * 0.42];
    shapes.push(svg("circle", { cx: at[0], cy: at[1], r: size * 0.74, class: `token ${token}` }));
    shapes.push(placedIcon(token, at, size, "mark"));
  }
  return shapes;
}

/** A small picture of a tile as it would lie in the photo. */
function tilePicture(corners, terrain, token = null) {
  const center = mean(corners);
  const reach = Math.max(...corners.map((corner) => Math.hypot(corner[0] - center[0], corner[1] - center[1]))) || 1;
  const small = corners.map((corner) => [24 + ((corner[0] - center[0]) / reach) * 22, 24 + ((corner[1] - center[1]) / reach) * 22]);
  return svg("svg", { viewBox: "0 0 48 48", class: "tile-picture", "aria-hidden": "true" }, tileShapes(small, terrain, token, true));
}

/** Which group (1, 2, ...) lights up each cell, from the highlighted number of the pad. */
function litCells(highlight) {
  const lit = new Map();
  (highlight?.groups ?? []).forEach((group, number) => {
    for (const cell of group.cells) lit.set(String(cell), [...(lit.get(String(cell)) ?? []), number + 1]);
  });
  return lit;
}

function boardOverlay(view) {
  const { player, ui, words } = view;
  const solid = view.solid;
  const lit = ui.highlight?.seat === ui.seat ? litCells(ui.highlight) : null;
  const shapes = [];
  for (const place of player.places) {
    const [x, y] = mean(place.corners);
    const size = tileWidth(place.corners) * 0.13;
    shapes.push(
      svg(
        "g",
        hexAttributes(view, place, `place${ui.selected === place.cell ? " selected" : ""}`, words.place),
        svg("polygon", { points: path(place.corners), class: "touch" }),
        svg("path", { d: `M${x - size} ${y}H${x + size}M${x} ${y - size}V${y + size}`, class: "plus" }),
      ),
    );
  }
  const doubtful = player.tiles.filter((tile) => tile.doubt);
  for (const tile of [...player.tiles.filter((each) => !each.doubt), ...doubtful]) {
    const groups = lit?.get(tile.cell);
    const classes = ["tile"];
    if (tile.doubt) classes.push("doubtful");
    if (tile.decides) classes.push("decides");
    if (ui.selected === tile.cell) classes.push("selected");
    if (lit) classes.push(groups ? "lit" : "dim");
    const inner = tile.corners.map((corner) => between(corner, mean(tile.corners), 0.03));
    shapes.push(
      svg(
        "g",
        hexAttributes(view, tile, classes.join(" "), groups ? `${tile.label} (${groups.join(", ")})` : tile.label),
        svg("polygon", { points: path(tile.corners), class: "touch" }),
        tileShapes(inner, tile.terrain, tile.token, solid),
        svg("polygon", { points: path(inner), class: "edge back" }),
        svg("polygon", { points: path(inner), class: "edge front" }),
        tile.doubt ? badge(inner, "?", "question") : null,
        groups ? badge(inner, groups.join(" "), "group") : null,
      ),
    );
  }
  return shapes;
}

function hexAttributes(view, hex, className, label) {
  const { ui } = view;
  return {
    class: `hex ${className}`,
    "data-cell": hex.cell,
    "data-focus": `hex ${hex.cell}`,
    role: "button",
    "aria-label": label,
    "aria-pressed": ui.selected === hex.cell ? "true" : "false",
    tabindex: hex.cell === view.firstStop ? "0" : "-1",
    onclick: () => view.select(hex.cell),
    onkeydown: (event) => boardKey(event, view, hex),
  };
}

function badge(corners, text, className) {
  const width = tileWidth(corners);
  const highest = corners.reduce((best, corner) => (corner[1] < best[1] ? corner : best));
  const [x, y] = between(highest, mean(corners), 0.32);
  const wide = width * (0.15 + 0.07 * (text.length - 1));
  return svg(
    "g",
    { class: `badge ${className}` },
    svg("rect", { x: x - wide, y: y - width * 0.15, width: wide * 2, height: width * 0.3, rx: width * 0.15 }),
    svg("text", { x, y, "font-size": width * 0.24, "text-anchor": "middle", "dominant-baseline": "central" }, text),
  );
}

const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/** Enter and space open a tile; arrow keys go to the nearest place in their direction. */
function boardKey(event, view, hex) {
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    view.select(hex.cell);
    return;
  }
  const arrow = ARROWS[event.key];
  if (!arrow) return;
  event.preventDefault();
  const from = mean(hex.corners);
  let best = null;
  for (const other of [...view.player.tiles, ...view.player.places]) {
    const to = mean(other.corners);
    const [x, y] = [to[0] - from[0], to[1] - from[1]];
    const along = x * arrow[0] + y * arrow[1];
    const across = Math.abs(x * arrow[1]) + Math.abs(y * arrow[0]);
    if (other.cell === hex.cell || along <= across * 0.5) continue;
    const cost = along + across * 2;
    if (!best || cost < best.cost) best = { cost, cell: other.cell };
  }
  if (best) view.focus(`hex ${best.cell}`);
}
