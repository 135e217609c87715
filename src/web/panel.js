// What can happen: all steps that are possible, filtered by object, text and property.

class Choices {
  constructor(scene, take) {
    this.scene = scene;
    this.take = take;
    this.mode = "next";
    this.answer = null;
    this.text = element("input", { type: "search", id: "filter", placeholder: "Filter by text", "aria-label": "Filter by text", oninput: () => this.fill() });
    this.object = this.menu("object", "All objects", scene.objects.map((object) => object.name));
    this.property = this.menu("violation", "All steps", scene.properties.map((property) => `violates ${property.name}`), [["any", "violates anything"]]);
    this.modes = ["next", "instead"].map((mode) => element("button", { type: "button", role: "tab", "data-mode": mode, onclick: () => this.show(this.answer, mode) }));
    this.list = element("ol", { class: "choices" });
    this.note = element("p", { class: "note" });
    this.node = element("div", { class: "panel" }, element("div", { class: "modes", role: "tablist" }, this.modes),
      element("div", { class: "filters" }, this.text, this.object, this.property), this.list, this.note);
  }

  menu(id, all, names, more = []) {
    const options = [["", all], ...more, ...names.map((name, index) => [String(index), name])];
    return element("select", { id, "aria-label": all, onchange: () => this.fill() }, options.map(([value, text]) => element("option", { value }, text)));
  }

  show(answer, mode) {
    this.answer = answer;
    this.mode = mode;
    const [next, instead] = this.modes;
    next.textContent = `Next (${answer.next.length})`;
    instead.textContent = answer.at === 0 ? `Other starts (${answer.instead.length - 1})` : `Instead of step ${answer.at} (${answer.instead.length - 1})`;
    for (const button of this.modes) button.setAttribute("aria-selected", String(button.dataset.mode === mode));
    this.fill();
  }

  shown() {
    const [text, object, property] = [this.text.value.trim().toLowerCase(), this.object.value, this.property.value];
    const says = (choice) => [choice.summary, ...choice.labels, ...choice.chosen].join(" ").toLowerCase().includes(text);
    const acts = (choice) => object === "" || choice.object === Number(object);
    const harms = (choice) => property === "" || (property === "any" ? choice.violates.length > 0 : choice.violates.includes(Number(property)));
    return this.answer[this.mode].filter((choice) => says(choice) && acts(choice) && harms(choice));
  }

  fill() {
    const shown = this.shown();
    const all = this.answer[this.mode].length;
    this.list.replaceChildren(...shown.map((choice, index) => element("li", {}, this.button(choice, index))));
    const nothing = this.mode === "next" ? "Nothing can happen any more." : "Nothing else could have happened.";
    this.note.textContent = all === 0 ? nothing : shown.length < all ? `${shown.length} of ${all} steps are shown.` : "";
  }

  button(choice, index) {
    const words = choice.chosen.length ? [...choice.labels, `chooses ${choice.chosen.join(", ")}`] : choice.labels;
    const harm = choice.violates.map((property) => element("span", { class: "badge violated" }, this.scene.properties[property].name));
    return element("button", { type: "button", class: choice.taken ? "choice taken" : "choice", title: words.join("\n"), onclick: () => this.take(choice, this.mode) },
      element("span", { class: "key" }, index < 9 ? index + 1 : ""), element("span", { class: "what" }, element("span", { class: "summary" }, choice.summary, harm),
        element("span", { class: "label" }, words.join("; "))));
  }

  key(digit) {
    const choice = this.shown()[digit - 1];
    if (choice) this.take(choice, this.mode);
  }
}
