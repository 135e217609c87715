//! The courses of edges through the regions.
//!
//! An edge between two regions goes up to the border of the composite state around its source, on
//! from there in the region that holds both ends, and in through the border around its target. Each
//! region draws its own part of it.

use crate::draw::diagram::Diagram;
use crate::draw::layers::orient;
use crate::lang::RegionId;

/// A part of an edge in one region.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub edge: usize,
    /// Where it comes from and leads to; `None` is the border of the region.
    pub from: Option<usize>,
    pub to: Option<usize>,
    /// The parts of an edge in the order in which it is followed.
    pub number: usize,
    /// The part in the region that holds both ends: the label stands on it.
    pub is_main: bool,
}

impl Part {
    /// The edge leads back to the vertex that it comes from, or to one inside.
    pub fn is_loop(&self) -> bool {
        self.from.is_some() && self.from == self.to
    }
}

pub struct Courses {
    /// For each region.
    pub parts: Vec<Vec<Part>>,
    /// For each edge whether it is drawn upwards.
    pub turned: Vec<bool>,
}

impl Courses {
    pub fn of(diagram: &Diagram) -> Courses {
        let mut courses = Courses {
            parts: vec![Vec::new(); diagram.machine.regions.len()],
            turned: vec![false; diagram.edges.len()],
        };
        for edge in 0..diagram.edges.len() {
            courses.add(diagram, edge);
        }
        for region in 0..courses.parts.len() {
            courses.orient(diagram, RegionId::new(region));
        }
        courses
    }

    fn add(&mut self, diagram: &Diagram, edge: usize) {
        let (steps, main) = steps(diagram, edge);
        for (number, (from, to)) in steps.into_iter().enumerate() {
            let Some(vertex) = from.or(to) else { continue };
            let region = diagram.vertices[vertex].region;
            self.parts[region.index()].push(Part {
                edge,
                from,
                to,
                number,
                is_main: number == main,
            });
        }
    }

    /// The main parts in a region decide which way the edges go.
    fn orient(&mut self, diagram: &Diagram, region: RegionId) {
        // States start where their region does.
        let mut vertices: Vec<usize> = diagram.vertices_in(region).collect();
        vertices.sort_by_key(|vertex| !diagram.is_initial(*vertex));
        let mut place = vec![0; diagram.vertices.len()];
        for (index, vertex) in vertices.iter().enumerate() {
            place[*vertex] = index;
        }
        let mut edges = Vec::new();
        let mut pairs = Vec::new();
        for part in &self.parts[region.index()] {
            if let (Some(from), Some(to), false) = (part.from, part.to, part.is_loop()) {
                edges.push(part.edge);
                pairs.push((place[from], place[to]));
            }
        }
        for (edge, turned) in edges
            .into_iter()
            .zip(orient::turned(vertices.len(), &pairs))
        {
            self.turned[edge] = turned;
        }
    }
}

/// From where to where; `None` is the border of the region.
type Step = (Option<usize>, Option<usize>);

/// The steps of an edge, and which of them is the main one.
fn steps(diagram: &Diagram, edge: usize) -> (Vec<Step>, usize) {
    let (from, to) = (diagram.edges[edge].from, diagram.edges[edge].to);
    let sources: Vec<usize> = diagram.outwards(from).collect();
    let targets: Vec<usize> = diagram.outwards(to).collect();
    let out = |vertices: &[usize]| -> Vec<Step> {
        vertices
            .iter()
            .map(|vertex| (Some(*vertex), None))
            .collect()
    };
    let into = |vertices: &[usize]| -> Vec<Step> {
        let inwards = vertices.iter().rev();
        inwards.map(|vertex| (None, Some(*vertex))).collect()
    };
    match meeting(diagram, &sources, &targets) {
        Meeting::InOneRegion(up, down) if sources[up] == targets[down] => {
            (vec![(Some(sources[up]), Some(targets[down]))], 0)
        }
        Meeting::InOneRegion(up, down) => {
            let main = (Some(sources[up]), Some(targets[down]));
            let inwards = into(&targets[..down]);
            ([out(&sources[..up]), vec![main], inwards].concat(), up)
        }
        Meeting::AtSource(down) => (into(&targets[..down]), 0),
        Meeting::AtTarget(up) => (out(&sources[..up]), up - 1),
    }
}

/// Where the ways outwards from both ends meet.
enum Meeting {
    /// In the same region, after so many steps from the source and from the target.
    InOneRegion(usize, usize),
    /// The target lies so deep inside of the source.
    AtSource(usize),
    /// The source lies so deep inside of the target.
    AtTarget(usize),
}

fn meeting(diagram: &Diagram, sources: &[usize], targets: &[usize]) -> Meeting {
    let down = targets.iter().position(|target| *target == sources[0]);
    let up = sources.iter().position(|source| *source == targets[0]);
    match (up, down) {
        (None, Some(down)) => return Meeting::AtSource(down),
        (Some(up), None) => return Meeting::AtTarget(up),
        _ => {}
    }
    let region = |vertex: &usize| diagram.vertices[*vertex].region;
    for (up, source) in sources.iter().enumerate() {
        let down = targets
            .iter()
            .position(|target| region(target) == region(source));
        if let Some(down) = down {
            return Meeting::InOneRegion(up, down);
        }
    }
    // The outermost vertices lie in the top region, whatever the ends are.
    Meeting::InOneRegion(sources.len() - 1, targets.len() - 1)
}
