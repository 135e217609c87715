// Making elements. Text only ever goes in as text: nothing here parses markup.

function element(tag, attributes, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

function shape(tag, attributes, ...children) {
  return furnish(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function furnish(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

function section(title, id, ...children) {
  return element("section", { id, "aria-labelledby": `${id}-title` },
    element("h2", { id: `${id}-title` }, title), ...children);
}

function counted(number, one, many = `${one}s`) {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

function grouped(number) {
  return number.toLocaleString("en").replaceAll(",", "\u202f");
}

// 12.3M
function short(number) {
  for (const [factor, unit] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (number >= factor) return `${(number / factor).toPrecision(3).replace(/\.?0+$/, "")}${unit}`;
  }
  return number < 10 && !Number.isInteger(number) ? number.toFixed(1) : String(Math.round(number));
}

function clipped(text, most) {
  return text.length <= most ? text : `${text.slice(0, Math.max(1, most - 1))}…`;
}

// Scrolls only the box, never the page: a step must not move what the reader looks at.
function revealIn(box, top, bottom) {
  if (top < box.scrollTop) box.scrollTop = top;
  else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
}
