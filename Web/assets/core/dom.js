// Creates elements by function calls instead of `innerHTML`, for pages whose policy forbids it (Trusted Types).

const drawn = "http://www.w3.org/2000/svg";

/** Creates an HTML element with attributes (`true` sets an empty one; `false` and `null` are skipped) and children. */
export function html(name, attributes = {}, ...children) {
  return made(document.createElement(name), attributes, children);
}

/** Creates an SVG element in the same way. */
export function svg(name, attributes = {}, ...children) {
  return made(document.createElementNS(drawn, name), attributes, children);
}

function made(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== null) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat());
  return element;
}
