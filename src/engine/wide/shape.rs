//! The tree that states are folded along: components below, blocks of components that change together
//! above them, and the root.
//!
//! The shape is fixed once the system is known. Components that have never changed yet cost a
//! place in it and nothing else, so no state is laid out anew, however many values turn up later.

/// A place in the tree. Children have smaller numbers than their parents.
pub type Node = u32;

/// A node that holds nothing and always has the id 0: the left child of a root with one block.
pub const NOTHING: Node = 0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Component(u32),
    Pair(Node, Node),
}

#[derive(Debug)]
pub struct Shape {
    nodes: Vec<Kind>,
    parents: Vec<Node>,
    /// By component.
    leaves: Vec<Node>,
    block_of: Vec<u32>,
    blocks: Vec<Block>,
    /// By node: the block that it is the root of; none is `u32::MAX`.
    rooted: Vec<u32>,
    /// The children of the root. Their ids are the key of a state.
    pub top: (Node, Node),
}

#[derive(Debug)]
pub struct Block {
    pub root: Node,
    pub components: Vec<u32>,
}

/// A node whose id is to be found again from those of its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Join {
    pub node: Node,
    pub left: Node,
    pub right: Node,
}

/// How the key of a state is found when some nodes have changed: a program over slots. The first slots are
/// the ids of the changed nodes, then come those that are `gathered` from the state before, then what
/// is joined.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Path {
    /// How many nodes have changed.
    pub changed: usize,
    pub gathered: Vec<Node>,
    /// Pairs of slots; the results go to slots from `first_join` on.
    pub joins: Vec<(u32, u32)>,
    pub first_join: u32,
    /// The slots of the children of the root.
    pub top: (u32, u32),
}

impl Shape {
    /// For components with these owners. Those of one owner make a block.
    pub fn new(owners: &[usize]) -> Shape {
        let mut shape = Shape {
            nodes: vec![Kind::Component(u32::MAX)],
            parents: vec![NOTHING],
            leaves: vec![NOTHING; owners.len()],
            block_of: vec![0; owners.len()],
            blocks: Vec::new(),
            rooted: Vec::new(),
            top: (NOTHING, NOTHING),
        };
        let mut by_owner: Vec<(usize, u32)> = owners.iter().copied().zip(0..).collect();
        by_owner.sort_unstable();
        for block in by_owner.chunk_by(|one, other| one.0 == other.0) {
            shape.add_block(block.iter().map(|(_, component)| *component).collect());
        }
        let roots: Vec<Node> = shape.blocks.iter().map(|block| block.root).collect();
        let (left, right) = roots.split_at(roots.len() / 2);
        shape.top = (shape.fold(left), shape.fold(right));
        shape.rooted = vec![u32::MAX; shape.nodes.len()];
        for (number, block) in shape.blocks.iter().enumerate() {
            shape.rooted[block.root as usize] = number as u32;
        }
        shape
    }

    fn add_block(&mut self, components: Vec<u32>) {
        let number = self.blocks.len() as u32;
        let first = self.nodes.len() as Node;
        for component in &components {
            self.leaves[*component as usize] = self.nodes.len() as Node;
            self.block_of[*component as usize] = number;
            self.add(Kind::Component(*component));
        }
        let leaves: Vec<Node> = (first..self.nodes.len() as Node).collect();
        let root = self.fold(&leaves);
        self.blocks.push(Block { root, components });
    }

    fn add(&mut self, kind: Kind) -> Node {
        let node = self.nodes.len() as Node;
        self.nodes.push(kind);
        self.parents.push(NOTHING);
        node
    }

    /// A balanced tree over nodes; its root.
    fn fold(&mut self, nodes: &[Node]) -> Node {
        match nodes {
            [] => NOTHING,
            [node] => *node,
            _ => {
                let (left, right) = nodes.split_at(nodes.len() / 2);
                let (left, right) = (self.fold(left), self.fold(right));
                let node = self.add(Kind::Pair(left, right));
                self.parents[left as usize] = node;
                self.parents[right as usize] = node;
                node
            }
        }
    }

    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    #[inline(always)]
    pub fn kind(&self, node: Node) -> Kind {
        self.nodes[node as usize]
    }

    #[inline(always)]
    pub fn leaf(&self, component: usize) -> Node {
        self.leaves[component]
    }

    #[inline(always)]
    pub fn block_of(&self, component: usize) -> usize {
        self.block_of[component] as usize
    }

    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    #[inline(always)]
    pub fn root_of(&self, block: usize) -> Node {
        self.blocks[block].root
    }

    /// The block that a node is the root of.
    #[inline(always)]
    pub fn block_at(&self, node: Node) -> Option<usize> {
        let block = self.rooted[node as usize];
        (block != u32::MAX).then_some(block as usize)
    }

    /// What leads from these nodes to the root.
    pub fn path(&self, changed: &[Node]) -> Path {
        let joins = self.joins(changed.iter().copied(), NOTHING);
        let mut slots: Vec<Node> = changed.to_vec();
        let joined = |node: Node| joins.iter().any(|join| join.node == node);
        let children = joins.iter().flat_map(|join| [join.left, join.right]);
        for node in children.chain([self.top.0, self.top.1]) {
            if !joined(node) && !slots.contains(&node) {
                slots.push(node);
            }
        }
        let gathered = slots[changed.len()..].to_vec();
        let first_join = slots.len() as u32;
        slots.extend(joins.iter().map(|join| join.node));
        let slot = |node: Node| slots.iter().position(|other| *other == node).unwrap_or(0) as u32;
        Path {
            changed: changed.len(),
            gathered,
            joins: joins
                .iter()
                .map(|join| (slot(join.left), slot(join.right)))
                .collect(),
            first_join,
            top: (slot(self.top.0), slot(self.top.1)),
        }
    }

    /// What is to be joined again when these nodes have changed, children first, up to and without `end`'s
    /// parents; an `end` of `NOTHING` is the top.
    pub fn joins(&self, changed: impl IntoIterator<Item = Node>, end: Node) -> Vec<Join> {
        let mut above: Vec<Node> = Vec::new();
        for mut node in changed {
            while node != end && self.parents[node as usize] != NOTHING {
                node = self.parents[node as usize];
                above.push(node);
            }
        }
        above.sort_unstable();
        above.dedup();
        let join = |node: Node| match self.kind(node) {
            Kind::Pair(left, right) => Join { node, left, right },
            Kind::Component(_) => unreachable!("components have no children"),
        };
        above.into_iter().map(join).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_component_has_a_leaf_below_the_root_of_its_block() {
        let owners = [3, 1, 1, 3, 3, 7, 1, 3];
        let shape = Shape::new(&owners);
        assert_eq!(shape.blocks().len(), 3);
        for (component, owner) in owners.iter().enumerate() {
            assert_eq!(
                shape.kind(shape.leaf(component)),
                Kind::Component(component as u32)
            );
            let block = shape.block_of(component);
            let same = |other: &u32| owners[*other as usize] == *owner;
            assert!(shape.blocks()[block].components.iter().all(same));
            let root = shape.root_of(block);
            assert_eq!(shape.block_at(root), Some(block));
            let joins = shape.joins([shape.leaf(component)], root);
            assert_eq!(
                joins.last().map_or(shape.leaf(component), |join| join.node),
                root
            );
        }
    }

    #[test]
    fn joins_go_up_to_the_children_of_the_root() {
        let shape = Shape::new(&[0, 1, 2, 3, 4]);
        let joins = shape.joins([shape.root_of(4), shape.root_of(0)], NOTHING);
        let nodes: Vec<Node> = joins.iter().map(|join| join.node).collect();
        assert!(nodes.is_sorted());
        assert!(nodes.contains(&shape.top.0) && nodes.contains(&shape.top.1));
        for Join { node, left, right } in joins {
            assert_eq!(shape.kind(node), Kind::Pair(left, right));
        }
    }

    #[test]
    fn a_path_knows_where_all_that_it_joins_comes_from() {
        let shape = Shape::new(&[0, 1, 2, 3, 4, 5, 6]);
        let changed = [shape.root_of(2), shape.root_of(5)];
        let path = shape.path(&changed);
        let mut slots = changed.to_vec();
        slots.extend(&path.gathered);
        assert_eq!(slots.len(), path.first_join as usize);
        for (left, right) in &path.joins {
            let pair = Kind::Pair(slots[*left as usize], slots[*right as usize]);
            let joined = (0..shape.nodes() as Node).find(|node| shape.kind(*node) == pair);
            slots.push(joined.expect("neighbours in the tree"));
        }
        let top = (slots[path.top.0 as usize], slots[path.top.1 as usize]);
        assert_eq!(top, shape.top);
        assert!(path.gathered.iter().all(|node| !changed.contains(node)));
    }

    #[test]
    fn one_block_and_no_block_have_a_top_as_well() {
        assert_eq!(Shape::new(&[]).top, (NOTHING, NOTHING));
        let shape = Shape::new(&[5, 5]);
        assert_eq!(shape.top, (NOTHING, shape.root_of(0)));
    }
}
