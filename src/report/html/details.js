// One step in words: what was taken, which transitions, what was sent, what changed.

class Details {
  constructor(scene, goTo) {
    this.scene = scene;
    this.goTo = goTo;
    this.node = element("div", { class: "details", "aria-live": "polite" });
  }

  show(number, moment, conclusion) {
    const { step } = moment;
    this.node.replaceChildren(
      element("p", { class: "step-title" }, element("span", { class: "number" }, number), step.summary),
      ...this.transitions(step), element("ul", { class: "facts" }, this.facts(moment)),
      ...(conclusion ? [this.conclusion(conclusion)] : []));
  }

  transitions(step) {
    return step.labels.map((label, index) => {
      const line = step.lines[Math.min(index, step.lines.length - 1)];
      return element("p", { class: "transition-label" }, element("code", {}, label), this.link(line));
    });
  }

  link(line) {
    if (line === undefined || line === null) return null;
    return element("a", { href: `#line-${line}`, class: "line-link", onclick: (event) => { event.preventDefault(); this.goTo(line); } }, `line ${line}`);
  }

  facts({ now, before, step }) {
    const facts = [];
    if (step.chosen.length) facts.push(["chooses ", ...listed(step.chosen)]);
    for (const sent of step.sent) {
      const fate = sent.lost ? ", which is lost: the inbox is full" : sent.taken_at === null ? "" : `, received at step ${sent.taken_at}`;
      facts.push(["sends ", code(sent.message), " to ", code(this.scene.objects[sent.to].name), fate]);
    }
    if (before) {
      for (const [index, object] of step.objects) {
        const old = before.objects[index].active;
        if (old !== object.active) facts.push([code(this.scene.objects[index].name), ": ", code(old), " → ", code(object.active)]);
      }
      for (const [index, value] of step.variables) facts.push([code(this.variable(index)), ` = ${value} `, element("span", { class: "was" }, `was ${before.variables[index]}`)]);
    }
    if (step.fault) facts.push([element("strong", { class: "fault-text" }, step.fault)]);
    return facts.map((fact) => element("li", {}, fact));
  }

  variable(index) {
    const { object, name } = this.scene.variables[index];
    return object === null ? name : `${this.scene.objects[object].name}.${name}`;
  }

  conclusion({ name, sentence, line }) {
    return element("p", { class: "verdict-line" }, element("strong", {}, `${name}: `), `${sentence}.`, " ", this.link(line));
  }
}

function code(text) {
  return element("code", {}, text);
}

function listed(texts) {
  return texts.flatMap((text, index) => index ? [", ", code(text)] : [code(text)]);
}
