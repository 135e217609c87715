// Each object as a card: its state machine, variables and queues, as they are after a step.

class Objects {
  constructor(scene) {
    this.scene = scene;
    this.cards = scene.objects.map((object, index) => new ObjectCard(scene, object, index));
    this.globals = new VariableTable(scene, null);
    this.grid = element("div", { class: "objects" });
    if (this.globals.isUsed) this.grid.append(element("article", { class: "card touched" }, element("h3", {}, "Global variables"), this.globals.node));
    this.grid.append(...this.cards.map((card) => card.node));
    const few = element("input", { type: "checkbox", id: "touched", onchange: () => this.grid.classList.toggle("only-touched", few.checked) });
    const choice = scene.objects.length > 3 ? element("label", { class: "only", for: "touched" }, few, " only those that the step touches") : null;
    this.node = element("div", {}, element("div", { class: "part-title" }, element("h3", {}, "Objects after this step"), choice), this.grid);
  }

  show(moment) {
    this.globals.show(moment);
    this.cards.forEach((card) => card.show(moment));
    this.cards.forEach((card) => card.reveal()); // after all changes: the page is laid out once
  }
}

class ObjectCard {
  constructor(scene, object, index) {
    this.index = index;
    this.state = element("span", { class: "active-state" });
    this.diagram = element("div", { class: "diagram" }, machine(object.class));
    this.variables = new VariableTable(scene, index);
    this.queues = new Queues(object);
    this.enlarge = element("button", { type: "button", class: "quiet enlarge", "aria-pressed": "false", title: "Enlarge the diagram", onclick: () => this.toggle() }, "⤢");
    this.node = element("article", { class: "card", "data-object": index, "aria-label": object.name },
      element("h3", {}, element("span", { class: "object-name" }, object.name), element("span", { class: "class-name" }, scene.classes[object.class]), this.state, this.enlarge),
      this.diagram, this.variables.isUsed ? this.variables.node : null, this.queues.node);
  }

  toggle() {
    const wide = this.node.classList.toggle("wide");
    this.enlarge.setAttribute("aria-pressed", wide);
  }

  show(moment) {
    const [now, before] = [moment.now.objects[this.index], moment.before?.objects[this.index]];
    const acts = moment.step.object === this.index;
    this.node.classList.toggle("acting", acts);
    this.node.classList.toggle("busy", Boolean(now.busy));
    this.node.classList.toggle("touched", acts || before !== now);
    this.state.textContent = now.active;
    this.state.classList.toggle("changed", Boolean(before) && before.active !== now.active);
    const entered = now.states.filter((state) => !before?.states.includes(state));
    this.innermost = entered.at(-1) ?? now.states.at(-1);
    this.highlight(now, before, acts ? moment.step : { transitions: [], branches: [] });
    this.variables.show(moment);
    this.queues.show(now, before);
  }

  reveal() {
    centre(this.diagram, this.diagram.querySelector(`[data-state="${this.innermost}"]`));
  }

  highlight(now, before, { transitions, branches }) {
    const left = (before?.states ?? []).filter((state) => !now.states.includes(state));
    mark(this.diagram, "state", "active", now.states);
    mark(this.diagram, "state", "left", left);
    mark(this.diagram, "transition", "taken", transitions);
    for (const node of this.diagram.querySelectorAll("[data-choice][data-branch]")) {
      const isTaken = ([choice, branch]) => Number(node.dataset.choice) === choice && Number(node.dataset.branch) === branch;
      node.classList.toggle("taken", branches.some(isTaken));
    }
  }
}

// Smaller than this nobody reads it: a larger machine is scrolled.
const SMALLEST = 0.72;

function machine(number) {
  const drawing = document.importNode(document.getElementById(`machine-${number}`).content, true);
  for (const svg of drawing.querySelectorAll("svg")) svg.style.minWidth = `${Math.round(svg.viewBox.baseVal.width * SMALLEST)}px`;
  return drawing;
}

// Scrolls the box so that the node is in its middle, if it has to.
function centre(box, node) {
  if (!node || (box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth)) return;
  const [outer, inner] = [box.getBoundingClientRect(), node.getBoundingClientRect()];
  box.scrollBy(inner.left + inner.width / 2 - outer.left - outer.width / 2, inner.top + inner.height / 2 - outer.top - outer.height / 2);
}

function mark(diagram, kind, name, numbers) {
  for (const node of diagram.querySelectorAll(`[data-${kind}]`)) {
    node.classList.toggle(name, numbers.includes(Number(node.dataset[kind])));
  }
}

class VariableTable {
  constructor(scene, owner) {
    this.rows = [];
    const body = element("tbody", {});
    scene.variables.forEach((variable, index) => {
      if (variable.object !== owner) return;
      const [value, was] = [element("td", { class: "value" }), element("td", { class: "was" })];
      const row = element("tr", {}, element("th", { scope: "row" }, variable.name), value, was);
      this.rows.push({ index, row, value, was });
      body.append(row);
    });
    this.node = element("div", { class: "variables" }, element("table", {}, body));
  }

  get isUsed() {
    return this.rows.length > 0;
  }

  show({ now, before }) {
    for (const { index, row, value, was } of this.rows) {
      const changed = before !== null && before.variables[index] !== now.variables[index];
      row.classList.toggle("changed", changed);
      value.textContent = now.variables[index];
      was.textContent = changed ? `was ${before.variables[index]}` : "";
    }
  }
}

class Queues {
  constructor(object) {
    this.object = object;
    this.node = element("dl", { class: "queues" });
  }

  show(now, before) {
    if (!this.object.queue) return; // a process without one
    const isInbox = this.object.queue === "inbox";
    const room = isInbox ? `${now.inbox.length}/${this.object.capacity}` : String(now.inbox.length);
    const parts = [this.queue(isInbox ? "inbox" : `in ${this.object.queue}`, room, now.inbox, before?.inbox)];
    if (now.deferred?.length) parts.push(this.queue("deferred", String(now.deferred.length), now.deferred, before?.deferred));
    if (now.given) parts.push(this.queue("given", "", [now.given], before?.given ? [before.given] : []));
    this.node.replaceChildren(...parts.flat());
  }

  queue(name, room, messages, before) {
    const isNew = (index) => before !== undefined && index >= before.length;
    const chips = messages.map((message, index) => element("span", { class: isNew(index) ? "chip changed" : "chip" }, message));
    return [element("dt", {}, name, " ", element("span", { class: "room" }, room)),
      element("dd", {}, chips.length ? chips : element("span", { class: "empty" }, "empty"))];
  }
}
