// The rounds of a refinement: what each cost, why its counterexamples were not real, and what was
// told apart then.

function refinementSection(scene, refinement) {
  const rounds = refinement.rounds.map((round, index) => roundDetails(scene, round, index + 1, index === 0));
  const known = refinement.precision.length ? refinement.precision : ["every variable is known exactly"];
  return section("Rounds of refinement", "rounds", roundTable(refinement.rounds), ...rounds,
    element("h3", {}, "Told apart at the end"), element("ul", { class: "plain mono" }, known.map((line) => element("li", {}, line))),
    refinement.assumptions.length ? [element("h3", {}, "Assumed"), element("ul", { class: "plain" }, refinement.assumptions.map((line) => element("li", {}, line)))] : [],
    refinement.choose_free.map((property) => element("p", { class: "note" }, `The abstract counterexample of ${scene.properties[property].name} had no guesses: it had to be real.`)));
}

function roundTable(rounds) {
  const head = ["round", "states", "transitions", "seconds", "not real", "splits"];
  const row = (round, index) => [index + 1, grouped(round.states), grouped(round.transitions), round.seconds.toFixed(2), round.spurious.length, round.splits.length];
  return element("div", { class: "wide-box" }, element("table", { class: "figures" },
    element("thead", {}, element("tr", {}, head.map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, rounds.map((round, index) => element("tr", {}, row(round, index).map((cell) => element("td", {}, cell)))))));
}

function roundDetails(scene, round, number, open) {
  if (!round.spurious.length && !round.splits.length) return null;
  const names = [...new Set(round.spurious.map((spurious) => scene.properties[spurious.property].name))];
  const title = names.length ? `counterexample of ${names.join(", ")} is spurious` : "";
  return element("details", { class: "round", open }, element("summary", {}, element("strong", {}, `Round ${number}`), ` ${title}`),
    alike(round.spurious).map(([spurious, count]) => spuriousRun(scene, spurious, count)),
    round.splits.length ? [element("p", { class: "so" }, "So these partitions are refined:"), element("ul", { class: "plain mono splits" }, round.splits.map((split) => element("li", {}, split)))] : []);
}

// Counterexamples that are told in the same words, once, and how many they are.
function alike(all) {
  const found = new Map();
  for (const spurious of all) {
    const words = JSON.stringify(spurious);
    found.set(words, [spurious, (found.get(words)?.[1] ?? 0) + 1]);
  }
  return [...found.values()];
}

function spuriousRun(scene, spurious, count) {
  const name = scene.properties[spurious.property].name;
  const others = count > 1 ? ` (${count} counterexamples, told in the same words)` : "";
  const why = element("p", { class: "why" }, element("strong", {}, `${name}: `), `at step ${spurious.parted_at} ${spurious.why}.${others}`);
  if (!spurious.steps) return element("div", { class: "spurious" }, why);
  const rows = spurious.steps.map((step, number) => parallelRow(step, number, spurious.parted_at));
  return element("div", { class: "spurious" }, why, element("div", { class: "wide-box" }, element("table", { class: "parallel" },
    element("thead", {}, element("tr", {}, ["", "abstract run", "concrete run"].map((text) => element("th", { scope: "col" }, text)))),
    element("tbody", {}, rows))));
}

function parallelRow(step, number, parted) {
  const classes = [number === parted && "parting", number > parted && "beyond"].filter(Boolean).join(" ");
  const known = [...step.states.map(([name, state]) => `${name} in ${state}`), ...step.variables.map((v) => `${v.name} = ${v.known}`)];
  const relevant = step.relevant.length ? element("p", { class: "relevant" }, `relevant: ${step.relevant.join(", ")}`) : null;
  return element("tr", { class: classes || null }, element("td", { class: "number" }, number),
    element("td", {}, relevant, element("p", { class: "summary" }, step.summary), known.map((text) => element("p", { class: "mono" }, text))),
    element("td", {}, concreteCell(step, number, parted)));
}

function concreteCell(step, number, parted) {
  if (!step.concrete) return number === parted ? element("p", { class: "parts" }, "here the runs part") : element("p", { class: "empty" }, "—");
  const states = step.states.map(([name, known, truth]) => element("p", { class: known === truth ? "mono" : "mono differs" }, `${name} in ${truth}`));
  const values = step.variables.map((v) => element("p", { class: v.differs ? "mono differs" : "mono" }, `${v.name} = ${v.truth}`));
  return [element("p", { class: "summary" }, number === parted ? "here the runs part" : "the same step"), ...states, ...values];
}
