//! The sizes of symbols, and of composite states around what is in them.

use super::face::{PADDING, ROW_SIZE};
use super::{Arrangement, Rect};
use crate::draw::diagram::Kind;
use crate::draw::layers::{Point, Size};
use crate::draw::text::width;
use crate::lang::RegionId;

/// The height of the name of a region.
const REGION_NAME: f64 = 18.0;
const BAR: Size = Size {
    width: 64.0,
    height: 5.0,
};
const BAR_PER_EDGE: f64 = 14.0;
/// The rounded corners of boxes.
const CORNER: f64 = 10.0;

impl Arrangement<'_> {
    pub(super) fn symbol_size(&self, vertex: usize) -> Size {
        let square = |side: f64| Size {
            width: side,
            height: side,
        };
        match self.diagram.vertices[vertex].kind {
            Kind::Initial(_) => square(12.0),
            Kind::History(_) => square(22.0),
            Kind::Choice(_) => square(26.0),
            Kind::Fork | Kind::Join => {
                let edges = self.diagram.edges.iter();
                let ends = edges.filter(|edge| edge.from == vertex || edge.to == vertex);
                Size {
                    width: BAR.width.max(ends.count() as f64 * BAR_PER_EDGE),
                    ..BAR
                }
            }
            Kind::State(_) => self.faces[vertex]
                .as_ref()
                .map_or(square(20.0), |f| f.size()),
        }
    }

    /// How far from the centre edges may touch a symbol.
    pub(super) fn reach(&self, vertex: usize) -> f64 {
        let half = self.sizes[vertex].width / 2.0;
        match self.diagram.vertices[vertex].kind {
            Kind::Initial(_) => 0.0,
            Kind::History(_) | Kind::Choice(_) => 0.6 * half,
            Kind::Fork | Kind::Join => half - 4.0,
            Kind::State(_) if self.faces[vertex].is_none() => 0.6 * half,
            Kind::State(_) => half - CORNER,
        }
    }

    /// Names of choices and final states stand on the right of their symbols.
    pub(super) fn caption_width(&self, vertex: usize) -> f64 {
        let name = self.diagram.caption(vertex);
        name.map_or(0.0, |name| width(name, ROW_SIZE) + 6.0)
    }

    /// Puts the regions of a composite state side by side under its head; the result is its size.
    pub(super) fn compose(&mut self, vertex: usize) -> Size {
        let Some(head) = self.faces[vertex].as_ref() else {
            return self.symbol_size(vertex);
        };
        let head_size = head.size();
        let head_height = head.head_height() + head.rows_height();
        let regions = self.diagram.regions_of(vertex).to_vec();
        let named = regions
            .iter()
            .any(|region| !self.region_name(*region).is_empty());
        let names = if named { REGION_NAME } else { 0.0 };
        let free = self.free_of_head(&regions, head_size.width);
        let mut x = 0.0;
        let height = regions.iter().map(|r| self.contents[r.index()].size.height);
        let height = height.fold(0.0, f64::max);
        for region in &regions {
            let name_width = width(self.region_name(*region), ROW_SIZE) + 2.0 * PADDING;
            let content = &mut self.contents[region.index()];
            let leftmost = content
                .at_top
                .values()
                .copied()
                .fold(f64::INFINITY, f64::min);
            let before = if x == 0.0 { free } else { 0.0 };
            let aside = (name_width - leftmost).max(before);
            content.origin = Point {
                x: x + aside,
                y: head_height + names,
            };
            let width = (content.size.width + aside).max(name_width);
            content.outline = Rect {
                x: -aside,
                y: -names,
                width,
                height: height + names,
            };
            x += width;
        }
        let width = x.max(head_size.width);
        self.spread(&regions, width - x);
        Size {
            width,
            height: head_height + names + height,
        }
    }

    fn region_name(&self, region: RegionId) -> &str {
        &self.diagram.machine.region(region).name
    }

    /// How far right the regions begin, so that no edge from above runs through the texts of the head.
    fn free_of_head(&self, regions: &[RegionId], head_width: f64) -> f64 {
        let mut before = 0.0;
        let mut leftmost = f64::INFINITY;
        for region in regions {
            let content = &self.contents[region.index()];
            let here = content
                .at_top
                .values()
                .copied()
                .fold(f64::INFINITY, f64::min);
            leftmost = leftmost.min(before + here);
            before += content.size.width;
        }
        (head_width - leftmost).max(0.0)
    }

    /// Shares room that is left over among the regions.
    fn spread(&mut self, regions: &[RegionId], room: f64) {
        let share = room / regions.len().max(1) as f64;
        for (index, region) in regions.iter().enumerate() {
            let content = &mut self.contents[region.index()];
            content.origin.x += share * (index as f64 + 0.5);
            content.outline.x -= share / 2.0;
            content.outline.width += share;
        }
    }
}
