// The page of `crisol explore`: a run that is made step by step. The server keeps nothing; each
// question brings the whole run along.

const data = JSON.parse(document.getElementById("data").textContent);

class Explore {
  constructor(scene) {
    this.scene = scene;
    this.steps = [];
    this.at = 0;
    this.asked = 0;
    this.objects = new Objects(scene);
    this.source = new Source(scene);
    this.details = new Details(scene, (line) => this.source.goTo(line));
    this.stepper = new Stepper((to) => this.go(to(this.at, this.steps.length - 1)));
    this.choices = new Choices(scene, (choice, mode) => this.take(choice, mode));
    this.banner = element("div", { class: "violations", role: "status" });
    this.error = element("p", { class: "error", role: "alert", hidden: true });
    this.storyPlace = element("div", { class: "story-place" });
    this.runs = element("select", { id: "runs", "aria-label": "Loaded runs", hidden: true, onchange: () => this.follow(this.loaded[Number(this.runs.value)]) });
    this.node = element("section", { id: "explore", "aria-label": "Explore" }, this.toolbar(), this.error, this.banner,
      element("div", { class: "columns" }, this.storyPlace, element("div", { class: "beside" }, this.choices.node)),
      element("div", { class: "columns lower" }, this.objects.node,
        element("div", { class: "beside" }, this.details.node, this.source.node)));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  toolbar() {
    const file = element("input", { type: "file", id: "file", accept: ".json,application/json", class: "file-input", onchange: () => this.load(file.files[0]) });
    return element("div", { class: "toolbar" }, this.stepper.node, element("button", { type: "button", class: "restart", onclick: () => this.follow({ steps: [] }) }, "Restart"),
      element("label", { class: "button", for: "file" }, "Load a trace", file), this.runs,
      element("span", { class: "hint" }, element("kbd", {}, "1"), "…", element("kbd", {}, "9"), " take a step, ", element("kbd", {}, "←"), " ", element("kbd", {}, "→"), " go along"));
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || isForTyping(event.target)) return;
    if (/^[1-9]$/.test(event.key)) this.choices.key(Number(event.key));
  }

  // A step forwards, or another one in place of the last. The rest of the run stays if it still fits.
  take(choice, mode) {
    const position = mode === "next" ? this.at + 1 : this.at;
    if (!choice.taken) this.steps = [...this.steps.slice(0, position), choice.step];
    this.ask(position, mode);
  }

  go(position) {
    this.ask(Math.max(0, Math.min(position, this.steps.length - 1)));
  }

  follow(run) {
    this.steps = run.steps;
    this.ask(0);
  }

  async load(file) {
    if (!file) return;
    const found = await this.post("traces", await file.text());
    if (found) this.offer(found.runs);
  }

  offer(runs) {
    this.loaded = runs;
    this.runs.replaceChildren(...runs.map((run, index) => element("option", { value: index }, `${run.property ?? "run"} (${counted(run.steps.length - 1, "step")})`)));
    this.runs.hidden = runs.length < 2;
    this.follow(runs[0]);
  }

  async ask(position, mode = "next") {
    this.asked += 1;
    const number = this.asked;
    const answer = await this.post("run", JSON.stringify({ steps: this.steps, at: position }));
    if (answer && number === this.asked) this.show(answer, mode);
  }

  async post(path, body) {
    try {
      const response = await fetch(path, { method: "POST", body });
      const answer = await response.json();
      this.complain(answer.error);
      return answer.error ? null : answer;
    } catch {
      this.complain("crisol does not answer any more: was it stopped?");
      return null;
    }
  }

  complain(why) {
    this.error.hidden = !why;
    this.error.textContent = why ?? "";
  }

  show(answer, mode) {
    [this.steps, this.at] = [answer.steps, answer.at];
    const run = new Run(answer.run);
    const moment = run.at(answer.at);
    this.story = new Story(this.scene, run, (number) => this.go(number));
    this.storyPlace.replaceChildren(this.story.node);
    this.story.select(answer.at);
    this.objects.show(moment);
    this.details.show(answer.at, moment, null);
    this.source.mark(moment.step.lines);
    this.stepper.show(answer.at, run.last);
    this.choices.show(answer, mode);
    this.banner.replaceChildren(...answer.violated.map(({ property, text }) => element("p", { class: "verdict-line" }, element("strong", {}, `${this.scene.properties[property].name}: `), text)));
  }

  start(runs) {
    if (runs.length) this.offer(runs);
    else this.ask(0);
  }
}

const page = new Explore(data.scene);
document.getElementById("hero").append(themeButton());
document.getElementById("main").replaceChildren(page.node, element("footer", {}, "Ctrl-C in the terminal ends it."));
page.start(data.start.runs);
