// The parts below are joined to one module (see webapp/view.py): icons, board, panel, pad, view.
// Text from outside (names, file names) only ever becomes a text node, never markup.

const SVG = "http://www.w3.org/2000/svg";
const TERRAINS = ["mountain", "forest", "prairie", "wetland", "river"];
const SPECIES = ["bear", "elk", "salmon", "hawk", "fox"];

/** An HTML element; attributes beginning with "on" are listeners, null and false ones are left out. */
function html(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

function svg(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// Drawn for this page on a field of 24 by 24; "line" icons are stroked, the others filled.
const ICONS = {
  mountain: { d: "M1 21 9 6l4 7 2.5-4L23 21Z" },
  forest: { d: "M12 1l6 9h-3l5 8h-6.5v5h-3v-5H4l5-8H6Z" },
  prairie: { line: true, d: "M12 22V10M12 10c-3-1-3-5 0-8 3 3 3 7 0 8M6 22c0-5-1-7-3-10M18 22c0-5 1-7 3-10" },
  wetland: { line: true, d: "M8 22V3M8 3v5M16 22V6M16 6v5M3 22c1-4 1-6-1-9M21 22c-1-4-1-6 1-9M6 8h4V3H6ZM14 11h4V6h-4Z" },
  river: { line: true, d: "M2 7c4-4 6-4 10 0s6 4 10 0M2 13c4-4 6-4 10 0s6 4 10 0M2 19c4-4 6-4 10 0s6 4 10 0" },
  bear: {
    d: "M5.5 3a3.7 3.7 0 0 0-2.9 6A9 9 0 0 0 2 12.6C2 17.8 6.500 22 12 22s10-4.200 10-9.400A9 9 0 0 0 21.400 9a3.700 3.700 0 1 0-5-4.700 11 11 0 0 0-8.800 0A3.700 3.700 0 0 0 5.500 3ZM8 10.500a1.200 1.200 0 1 1 0 2.500 1.200 1.200 0 0 1 0-2.500Zm8 0a1.200 1.200 0 1 1 0 2.500 1.200 1.200 0 0 1 0-2.500ZM12 14c2 0 3 1 3 2s-1.500 2.500-3 2.500S9 17 9 16s1-2 3-2Z",
  },
  elk: { line: true, d: "M9 13h6l-1.500 8h-3ZM9 13C5 12 4 9 4 4M4.500 9 1.500 6M6.500 11 8 5M15 13c4-1 5-4 5-9M19.500 9l3-3M17.500 11 16 5" },
  salmon: { d: "M1 12C5 5 13 4.500 17 9.500L23 5v14l-6-4.500C13 19.500 5 19 1 12Zm5.500-2.200a1.300 1.300 0 1 0 0 2.600 1.300 1.300 0 0 0 0-2.600Z" },
  hawk: { d: "M12 8C9 3.500 5 3.500.500 6c2 1.500 2 4 4.500 5.500 2 1 4 .8 5 2L8.500 21l3.500-2 3.500 2L14 13.500c1-1.200 3-1 5-2C21.500 10 21.500 7.500 23.500 6 19 3.500 15 3.500 12 8Z" },
  fox: { d: "M2.500 2 9 6.500h6L21.500 2v10.500L12 22 2.500 12.500ZM7 11l3.500 1.500L7.500 14Zm10 0-3.500 1.500 3 1.500ZM12 18.500l1.500-2h-3Z" },
  nature: { d: "M12 1c6 5 7 15 0 22-7-7-6-17 0-22Zm-3 9 3 3 3-3M8.500 15l3.500 3 3.500-3" },
  none: { line: true, d: "M12 4a8 8 0 1 0 .01 0ZM6.500 17.500l11-11" },
  undo: { line: true, d: "M8 5 3 10l5 5M3 10h11a6 6 0 0 1 0 12h-4" },
  redo: { line: true, d: "M16 5l5 5-5 5M21 10H10a6 6 0 0 0 0 12h4" },
  zoom: { line: true, d: "M10 3a7 7 0 1 0 .01 0ZM15 15l6 6M10 7v6M7 10h6" },
  photo: { line: true, d: "M3 7h4l2-3h6l2 3h4v13H3ZM12 9.500a4 4 0 1 0 .01 0Z" },
  drawing: { line: true, d: "M12 2l8.700 5v10L12 22l-8.700-5V7ZM3.300 7 12 12l8.700-5M12 12v10" },
  grid: { line: true, d: "M12 2v20M2 12h20M12 2 9 5M12 2l3 3M12 22l-3-3M12 22l3-3M2 12l3-3M2 12l3 3M22 12l-3-3M22 12l-3 3" },
};

function iconShape(name, attributes = {}) {
  const icon = ICONS[name];
  return svg("path", {
    d: icon.d,
    class: icon.line ? "icon line" : "icon",
    "fill-rule": "evenodd",
    ...attributes,
  });
}

function icon(name, label = null) {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: `glyph ${name}`, role: label ? "img" : null, "aria-label": label, "aria-hidden": label ? null : "true" },
    iconShape(name),
  );
}

/** "{name} wins" with its placeholders filled; `count` other than one takes the plural. */
function phrase(words, key, values = {}) {
  const plural = values.count !== undefined && values.count !== 1 && `${key}.many` in words;
  return words[plural ? `${key}.many` : key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}
