//! The commands about parts of values: records, arrays, sums.

use super::commands::line;
use super::state::{Answer, Server};
use norn::engine::Item;

impl Server {
    /// Executes a command, if it is one of these with as many words as it takes.
    pub fn parts_command(&mut self, command: &str, args: &[&str], out: &mut String) -> Option<Answer> {
        Some(match (command, args) {
            ("kind", [ty]) => self.ty(ty).and_then(|ty| line(out, self.engine().kind(ty).name())),
            ("rank", [ty]) => self.rank(ty, out),
            ("elemtype", [ty]) => self.elemtype(ty, out),
            ("shape", [array]) => self.shape(array, out),
            ("index", [new, array, indices @ ..]) => self.index(new, array, indices),
            ("set", [array, element, indices @ ..]) => self.set(array, element, indices),
            ("new_array", [new, ty, rest @ ..]) => self.new_array(new, ty, rest),
            ("zip", [new, ty, names @ ..]) => self.zip(new, ty, names),
            ("unzip", [array, new @ ..]) => self.unzip(array, new),
            ("fields", [ty]) => self.fields(ty, out),
            ("new", [new, ty, names @ ..]) => self.new_record(new, ty, names),
            ("project", [new, record, field]) => self.project(new, record, field),
            ("variants", [ty]) => self.variants(ty, out),
            ("variant", [sum]) => self.variant(sum, out),
            ("construct", [new, ty, variant, names @ ..]) => self.construct(new, ty, variant, names),
            ("destruct", [sum, new @ ..]) => self.destruct(sum, new),
            _ => return None,
        })
    }

    fn rank(&self, ty: &str, out: &mut String) -> Answer {
        let rank = self.engine().rank(self.ty(ty)?)?;
        line(out, &rank.to_string())
    }

    fn elemtype(&self, ty: &str, out: &mut String) -> Answer {
        let elem = self.engine().elem_type(self.ty(ty)?)?;
        line(out, &self.engine().type_name(elem))
    }

    fn shape(&self, array: &str, out: &mut String) -> Answer {
        let shape = self.engine().shape(self.variable(array)?)?;
        shape.iter().try_for_each(|dim| line(out, &dim.to_string()))
    }

    fn index(&mut self, new: &str, array: &str, indices: &[&str]) -> Answer {
        self.require_new(&[new])?;
        let element = self.engine().index(self.variable(array)?, &numbers(indices, "index")?)?;
        self.define(new, element);
        Ok(())
    }

    fn set(&mut self, array: &str, element: &str, indices: &[&str]) -> Answer {
        let (old, element) = (self.variable(array)?, self.variable(element)?);
        let changed = self.engine().set(old, &numbers(indices, "index")?, element)?;
        self.define(array, changed);
        Ok(())
    }

    fn new_array(&mut self, new: &str, ty: &str, rest: &[&str]) -> Answer {
        self.require_new(&[new])?;
        let ty = self.ty(ty)?;
        let rank = self.engine().rank(ty)?;
        let Some((sizes, names)) = rest.split_at_checked(rank) else {
            return Err(format!("A size is needed for each dimension, of which there are {rank}."));
        };
        let sizes: Result<Vec<usize>, _> = numbers(sizes, "size")?.into_iter().map(usize::try_from).collect();
        let sizes = sizes.map_err(|_| "A size cannot be negative.")?;
        let array = self.engine().new_array(ty, &sizes, &self.variables(names)?)?;
        self.define(new, array);
        Ok(())
    }

    fn zip(&mut self, new: &str, ty: &str, names: &[&str]) -> Answer {
        self.require_new(&[new])?;
        let array = self.engine().zip(self.ty(ty)?, &self.variables(names)?)?;
        self.define(new, array);
        Ok(())
    }

    fn unzip(&mut self, array: &str, new: &[&str]) -> Answer {
        let parts = self.engine().unzip(self.variable(array)?)?;
        self.define_all(new, parts)
    }

    fn fields(&self, ty: &str, out: &mut String) -> Answer {
        let fields = self.engine().fields(self.ty(ty)?)?;
        fields
            .iter()
            .try_for_each(|(name, ty)| line(out, &format!("{name} {}", self.engine().type_name(*ty))))
    }

    fn new_record(&mut self, new: &str, ty: &str, names: &[&str]) -> Answer {
        self.require_new(&[new])?;
        let record = self.engine().new_record(self.ty(ty)?, &self.variables(names)?)?;
        self.define(new, record);
        Ok(())
    }

    fn project(&mut self, new: &str, record: &str, field: &str) -> Answer {
        self.require_new(&[new])?;
        let part = self.engine().project(self.variable(record)?, field)?;
        self.define(new, part);
        Ok(())
    }

    fn variants(&self, ty: &str, out: &mut String) -> Answer {
        for (name, payload) in self.engine().variants(self.ty(ty)?)? {
            line(out, name)?;
            payload.iter().try_for_each(|ty| line(out, &format!("- {}", self.engine().type_name(*ty))))?;
        }
        Ok(())
    }

    fn variant(&self, sum: &str, out: &mut String) -> Answer {
        line(out, self.engine().variant(self.variable(sum)?)?)
    }

    fn construct(&mut self, new: &str, ty: &str, variant: &str, names: &[&str]) -> Answer {
        self.require_new(&[new])?;
        let sum = self.engine().construct(self.ty(ty)?, variant, &self.variables(names)?)?;
        self.define(new, sum);
        Ok(())
    }

    fn destruct(&mut self, sum: &str, new: &[&str]) -> Answer {
        let parts = self.engine().destruct(self.variable(sum)?)?;
        self.define_all(new, parts)
    }

    fn define_all(&mut self, names: &[&str], items: Vec<Item>) -> Answer {
        if names.len() != items.len() {
            let (values, variables) = (items.len(), names.len());
            return Err(format!(
                "The number of values is {values}, but that of variables for them {variables}."
            ));
        }
        self.require_new(names)?;
        for (name, item) in names.iter().zip(items) {
            self.define(name, item);
        }
        Ok(())
    }
}

fn numbers(words: &[&str], what: &str) -> Result<Vec<i64>, String> {
    words.iter().map(|word| word.parse().map_err(|_| format!("`{word}` is no {what}."))).collect()
}
