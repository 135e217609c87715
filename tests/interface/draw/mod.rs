//! Every shipped model is drawn in every format, and the drawings show what is in the model.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common;
use crisol::draw;
use crisol::dve;
use crisol::lang::{ClassId, Machine, Model, SourceFile, StateId, check, parse};
use roxmltree::{Document, Node};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All shipped models, and one with everything that a drawing can show.
fn paths() -> Vec<PathBuf> {
    let mut paths = vec![root().join("tests/interface/draw/drawings/showcase.csm")];
    for folder in std::fs::read_dir(root().join("models"))
        .expect("models")
        .flatten()
    {
        let files = std::fs::read_dir(folder.path())
            .into_iter()
            .flatten()
            .flatten();
        let files = files.map(|file| file.path());
        paths.extend(files.filter(|file| file.extension().is_some_and(|e| e == "csm")));
    }
    paths.sort();
    paths
}

fn models() -> impl Iterator<Item = (PathBuf, Model)> {
    paths().into_iter().map(|path| {
        let text = std::fs::read_to_string(&path).expect("a model");
        let (file, errors) = parse(&text);
        assert!(errors.is_empty(), "{}", path.display());
        let (model, _) = check(&file, &Vec::new());
        let model = model.unwrap_or_else(|| panic!("{}", path.display()));
        (path, model)
    })
}

fn classes(model: &Model) -> Vec<ClassId> {
    (0..model.classes.len()).map(ClassId::new).collect()
}

fn machine(model: &Model, class: ClassId) -> &Machine {
    &model.classes[class.index()].machine
}

/// How often each value of an attribute occurs.
fn counted(document: &Document, attribute: &str) -> BTreeMap<u32, usize> {
    let mut counts = BTreeMap::new();
    for value in document
        .descendants()
        .filter_map(|node| node.attribute(attribute))
    {
        *counts.entry(value.parse().expect("a number")).or_default() += 1;
    }
    counts
}

#[test]
fn every_state_and_every_transition_is_drawn_once() {
    for (path, model) in models() {
        for class in classes(&model) {
            let svg = draw::class_svg(&model, class);
            let document = Document::parse(&svg).expect("well-formed");
            let machine = machine(&model, class);
            let once = |count: usize| (0..count as u32).map(|id| (id, 1)).collect();
            let expected: BTreeMap<u32, usize> = once(machine.states.len());
            assert_eq!(
                counted(&document, "data-state"),
                expected,
                "{}",
                path.display()
            );
            let expected: BTreeMap<u32, usize> = once(machine.transitions.len());
            let shown = counted(&document, "data-transition");
            assert_eq!(shown, expected, "{}", path.display());
            let branches: usize = machine.choices.iter().map(|c| c.branches.len()).sum();
            let shown: usize = counted(&document, "data-branch").values().sum();
            assert_eq!(shown, branches, "{}", path.display());
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Area {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Area {
    fn is_inside(&self, outer: &Area) -> bool {
        self.left >= outer.left
            && self.top >= outer.top
            && self.right <= outer.right
            && self.bottom <= outer.bottom
    }

    fn overlaps(&self, other: &Area) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

fn length(node: &Node, name: &str) -> f64 {
    node.attribute(name).expect(name).parse().expect("a number")
}

/// The outline of a state: a box, or the circle of a final one.
fn area(group: &Node) -> Area {
    let shape = group
        .children()
        .find(|child| child.has_tag_name("rect") || child.has_tag_name("circle"));
    let shape = shape.or_else(|| group.descendants().find(|c| is_shape(c)));
    let shape = shape.expect("an outline");
    if shape.tag_name().name() == "circle" {
        let (x, y, r) = (
            length(&shape, "cx"),
            length(&shape, "cy"),
            length(&shape, "r"),
        );
        return Area {
            left: x - r,
            top: y - r,
            right: x + r,
            bottom: y + r,
        };
    }
    let (left, top) = (length(&shape, "x"), length(&shape, "y"));
    Area {
        left,
        top,
        right: left + length(&shape, "width"),
        bottom: top + length(&shape, "height"),
    }
}

fn is_shape(node: &Node) -> bool {
    matches!(node.tag_name().name(), "rect" | "circle")
}

fn areas(document: &Document) -> BTreeMap<u32, Area> {
    let groups = document
        .descendants()
        .filter(|node| node.has_attribute("data-state"));
    let of = |group: Node| {
        let id = group.attribute("data-state").expect("a state");
        (id.parse().expect("a number"), area(&group))
    };
    groups.map(of).collect()
}

#[test]
fn states_lie_in_the_states_around_them_and_beside_the_others() {
    for (path, model) in models() {
        for class in classes(&model) {
            let svg = draw::class_svg(&model, class);
            let areas = areas(&Document::parse(&svg).expect("well-formed"));
            let machine = machine(&model, class);
            for (one, area) in &areas {
                for (other, other_area) in areas.range(..one) {
                    let (one, other) = (StateId(*one), StateId(*other));
                    let holds = match machine.is_inside(one, other) {
                        true => area.is_inside(other_area),
                        false => machine.is_inside(other, one) || !area.overlaps(other_area),
                    };
                    assert!(holds, "{}: {one:?} {other:?}", path.display());
                }
            }
        }
    }
}

/// Where the letters of a label stand, as wide as narrow letters are at least.
fn label_areas(document: &Document) -> Vec<Area> {
    let labels = document
        .descendants()
        .filter(|node| node.attribute("class") == Some("label"));
    let lines = labels.flat_map(|label| label.children().filter(|c| c.has_tag_name("text")));
    let of = |line: Node| {
        let (left, baseline) = (length(&line, "x"), length(&line, "y"));
        let letters = line.text().unwrap_or_default().chars().count() as f64;
        Area {
            left,
            top: baseline - 8.0,
            right: left + 3.0 * letters,
            bottom: baseline,
        }
    };
    lines.map(of).collect()
}

#[test]
fn labels_overlap_neither_each_other_nor_boxes_of_states() {
    for (path, model) in models() {
        for class in classes(&model) {
            let svg = draw::class_svg(&model, class);
            let document = Document::parse(&svg).expect("well-formed");
            let labels = label_areas(&document);
            let machine = machine(&model, class);
            let areas = areas(&document);
            let simple = areas
                .iter()
                .filter(|(id, _)| machine.state(StateId(**id)).regions.is_empty());
            let boxes: Vec<&Area> = simple.map(|(_, area)| area).collect();
            for (index, label) in labels.iter().enumerate() {
                let free = !boxes.iter().any(|area| area.overlaps(label));
                let alone = !labels[..index].iter().any(|other| other.overlaps(label));
                assert!(free && alone, "{}: {label:?}", path.display());
            }
        }
    }
}

#[test]
fn all_formats_draw_every_model() {
    for (path, model) in models() {
        let classes = classes(&model);
        let svg = draw::svg(&model, &classes);
        assert!(Document::parse(&svg).is_ok(), "{}", path.display());
        let dot = draw::dot(&model, &classes);
        let opened = dot.matches('{').count();
        assert!(dot.starts_with("digraph \"") && opened == dot.matches('}').count());
        let plantuml = draw::plantuml(&model, &classes);
        assert!(plantuml.starts_with("@startuml\n") && plantuml.ends_with("\n@enduml\n"));
        assert_eq!(plantuml.matches("@end").count(), 1);
        let mermaid = draw::mermaid(&model, &classes);
        assert!(
            mermaid.starts_with("stateDiagram-v2\n"),
            "{}",
            path.display()
        );
    }
}

const HOSTILE: &str = "</svg><script>alert(1)</script>\"'];\n@enduml %% : ; --> \\ ]]>";

/// The language has no such names, but a drawing does not count on that.
fn hostile() -> Model {
    let mut model = common::shipped("pump/pump.csm", &[]);
    model.name = HOSTILE.to_owned();
    for class in &mut model.classes {
        class.name = HOSTILE.to_owned();
        let machine = &mut class.machine;
        machine
            .choices
            .iter_mut()
            .for_each(|choice| choice.name = HOSTILE.to_owned());
        for state in &mut machine.states {
            state.name = HOSTILE.to_owned();
            state.path = HOSTILE.to_owned();
            state.entry_text = HOSTILE.to_owned();
        }
        for transition in &mut machine.transitions {
            transition.texts = vec![HOSTILE.to_owned()];
        }
    }
    model
}

#[test]
fn hostile_names_stay_texts() {
    let model = hostile();
    let classes = classes(&model);
    for svg in [
        draw::svg(&model, &classes),
        draw::class_svg(&model, classes[0]),
    ] {
        let document = Document::parse(&svg).expect("well-formed");
        assert!(
            !document
                .descendants()
                .any(|node| node.has_tag_name("script"))
        );
        assert!(!svg.contains("<script"));
    }
    let plantuml = draw::plantuml(&model, &classes);
    assert_eq!(plantuml.matches("@enduml").count(), 1);
    assert!(!plantuml.contains("<script>"));
    let mermaid = draw::mermaid(&model, &classes);
    assert!(!mermaid.contains("<script>") && !mermaid.contains("%%"));
    let dot = draw::dot(&model, &classes);
    let quotes = dot.replace("\\\\", "").replace("\\\"", "");
    assert_eq!(quotes.matches('"').count() % 2, 0);
    assert!(dot.lines().all(|line| !line.starts_with("@enduml")));
}

#[test]
fn drawings_are_the_same_every_time() {
    let model = common::shipped("dishwasher/dishwasher.csm", &[]);
    let first = draw::svg(&model, &classes(&model));
    assert_eq!(first, draw::svg(&model, &classes(&model)));
}

/// `CRISOL_BLESS=1` writes the drawings down anew.
fn expect_drawing(name: &str, drawing: &str) {
    let path = root().join("tests/interface/draw/drawings").join(name);
    if std::env::var_os("CRISOL_BLESS").is_some() {
        std::fs::write(&path, drawing).expect("a file");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        drawing, expected,
        "{name}: CRISOL_BLESS=1 accepts what is new"
    );
}

#[test]
fn a_small_model_is_written_as_before() {
    let model = common::shipped("dishwasher/dishwasher.csm", &[]);
    let classes = classes(&model);
    expect_drawing("dishwasher.dot", &draw::dot(&model, &classes));
    expect_drawing("dishwasher.plantuml", &draw::plantuml(&model, &classes));
    expect_drawing("dishwasher.mermaid", &draw::mermaid(&model, &classes));
}

fn crisol(arguments: &[&str]) -> std::process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crisol"));
    command
        .args(arguments)
        .current_dir(root())
        .output()
        .expect("a run")
}

#[test]
fn classes_are_chosen_by_name() {
    let one = crisol(&["draw", "models/pump/pump.csm", "--class", "Motor"]);
    assert!(one.status.success());
    let svg = String::from_utf8(one.stdout).expect("text");
    assert!(svg.contains(">Motor</text>") && !svg.contains(">Control</text>"));
    let none = crisol(&["draw", "models/pump/pump.csm", "--class", "Motr"]);
    assert_eq!(none.status.code(), Some(3));
    let complaint = String::from_utf8_lossy(&none.stderr).into_owned();
    assert!(
        complaint.contains("no class `Motr`: did you mean `Motor`?"),
        "{complaint}"
    );
}

#[test]
fn processes_of_dve_models_are_drawn_in_the_words_of_the_model() {
    let text = "byte x; process P { state a, b; init b;
        trans a -> b { guard x < 3; effect x = x + 1; /* </svg> */ }, b -> a { }, b -> b { sync c!x; }; }
        channel c[2]; process Q { state q; init q; } system async;";
    let program = dve::read(text).expect("a program");
    let model = dve::drawn(&program, &SourceFile::new("meet.dve", text));
    let svg = draw::class_svg(&model, ClassId::new(0));
    let document = Document::parse(&svg).expect("well-formed");
    assert_eq!(
        counted(&document, "data-state"),
        BTreeMap::from([(0, 1), (1, 1)])
    );
    assert_eq!(
        counted(&document, "data-transition"),
        BTreeMap::from([(0, 1), (1, 1), (2, 1)])
    );
    let dot = draw::dot(&model, &classes(&model));
    for words in ["guard x &lt; 3; effect x = x + 1;", "sync c!x;", "Q"] {
        assert!(dot.contains(words), "{words}: {dot}");
    }
}
