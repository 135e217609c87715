//! The machine of each class, to be copied by the page for each of its objects.

use crate::draw::class_svg;
use crate::lang::{ClassId, Model};

pub fn machines(model: &Model) -> String {
    let classes = (0..model.classes.len()).map(ClassId::new);
    let templates = classes.map(|class| {
        let drawing = class_svg(model, class);
        format!(
            "<template id=\"machine-{}\">{drawing}</template>\n",
            class.0
        )
    });
    templates.collect()
}
