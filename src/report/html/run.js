// A run, and the configuration after each of its steps: changes added up.

class Run {
  constructor(view) {
    this.view = view;
    this.steps = view.steps;
    this.configurations = [];
    let objects = [];
    let variables = [];
    for (const step of view.steps) {
      [objects, variables] = [objects.slice(), variables.slice()];
      for (const [index, object] of step.objects) objects[index] = object;
      for (const [index, value] of step.variables) variables[index] = value;
      this.configurations.push({ objects, variables });
    }
  }

  get last() {
    return this.steps.length - 1;
  }

  // After a step, together with what was before it.
  at(number) {
    return { now: this.configurations[number], before: this.configurations[number - 1] ?? null, step: this.steps[number] };
  }
}
