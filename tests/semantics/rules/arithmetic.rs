//! Types and arithmetic.

use super::*;

#[test]
fn variables_start_at_the_value_of_their_type_that_is_nearest_to_zero() {
    let model = model(
        "enum Colour { Red, Green }
         class C {
           int i; int(0..9) a; int(3..9) b; int(-9..-3) c; int(-2..2) d; wrap int(5..6) w;
           nat n; integer z; bool t; Colour colour; C other; int(4..5)[2] both;
           initial -> S; quiescent state S; }
         object o: C;",
    );
    let at = start(&model);
    let expected = [
        ("i", "0"),
        ("a", "0"),
        ("b", "3"),
        ("c", "-3"),
        ("d", "0"),
        ("w", "5"),
        ("n", "0"),
        ("z", "0"),
        ("t", "false"),
        ("colour", "Red"),
        ("other", "null"),
        ("both", "4 4"),
    ];
    for (variable, value) in expected {
        assert_eq!(shown(&model, &at, "o", variable), value, "{variable}");
    }
}

#[test]
fn an_int_holds_32_bits_and_not_one_more() {
    let ends = "x = 2147483647; y = -2147483648; assert x - 1 == 2147483646; assert y + 1 < 0;";
    passes("", "int x, y;", ends);
    for (value, operation) in [
        ("2147483647", "x + 1"),
        ("-2147483648", "x - 1"),
        ("-2147483648", "-x"),
        ("-2147483648", "x / -1"),
        ("65536", "x * 32768"),
    ] {
        let variables = format!("int x = {value}; bool b;");
        let effect = format!("b = {operation} == 0;");
        goes_wrong(&variables, &effect, "arithmetic_fault", operation);
    }
}

#[test]
fn a_result_is_checked_at_32_bits_even_where_a_larger_variable_takes_it() {
    goes_wrong(
        "int x = 2147483647; integer z;",
        "z = x + 1;",
        "arithmetic_fault",
        "x + 1",
    );
}

#[test]
fn with_an_unbounded_or_wrapping_operand_64_bits_are_checked() {
    for ty in ["nat", "integer", "wrap int"] {
        let variables = format!("{ty} x = 2147483647; integer z;");
        let effect = "z = x + 1; assert z == 2147483648; z = 1 + x; assert z == 2147483648;
                      z = x * x * 2; assert z == 9223372028264841218;";
        passes("", &variables, effect);
    }
    goes_wrong(
        "integer z = 9223372036854775807;",
        "z = z + 1;",
        "arithmetic_fault",
        "z + 1",
    );
    goes_wrong(
        "integer z = -9223372036854775807;",
        "z = z * 2;",
        "arithmetic_fault",
        "z * 2",
    );
}

#[test]
fn a_range_beyond_32_bits_is_calculated_with_at_64() {
    let variables = "int(0..4294967295) x = 4294967295; wrap int(0..4294967295) w = 4294967295;";
    passes(
        "",
        variables,
        "x = x - 1; assert x == 4294967294; w += 1; assert w == 0;",
    );
    goes_wrong(variables, "x = x + 1;", "arithmetic_fault", "x + 1");
}

#[test]
fn division_rounds_towards_zero_and_the_remainder_has_the_sign_of_its_left_operand() {
    for (left, right, quotient, remainder) in [
        (7, 2, 3, 1),
        (-7, 2, -3, -1),
        (7, -2, -3, 1),
        (-7, -2, 3, -1),
        (0, -3, 0, 0),
    ] {
        let variables = format!("int x = {left}, y = {right};");
        let effect = format!("assert x / y == {quotient}; assert x % y == {remainder};");
        passes("", &variables, &effect);
    }
    let whole = "assert x % -1 == 0;";
    passes("", "int x = -2147483648;", whole);
    goes_wrong("int x = 1, y;", "x = x / y;", "arithmetic_fault", "x / y");
    goes_wrong("int x = 1, y;", "x = x % y;", "arithmetic_fault", "x % y");
}

#[test]
fn a_value_that_does_not_fit_a_wrapping_type_comes_in_at_the_other_end() {
    let effect = "w = 9; w = w + 1; assert w == 0; w = w - 1; assert w == 9; w = 25; assert w == 5;
                  w = -13; assert w == 7; w++; w++; w++; assert w == 0; w--; assert w == 9;";
    passes("", "wrap int(0..9) w;", effect);
    passes(
        "",
        "wrap int(-2..2) v;",
        "v = 3; assert v == -2; v = -3; assert v == 2;",
    );
    let whole = "i = 2147483647; i = i + 1; assert i == -2147483648; i = i - 1; assert i > 0;";
    passes("", "wrap int i;", whole);
    let thrice = "i = 2147483647; i = i * i; assert i == 1;";
    passes("", "wrap int i;", thrice);
}

#[test]
fn a_stored_value_must_fit_the_type_of_the_variable() {
    let kind = "arithmetic_fault";
    goes_wrong("int(0..9) x = 9;", "x = x + 1;", kind, "x + 1");
    goes_wrong("int(0..9) x;", "x = -1;", kind, "-1");
    goes_wrong("int(0..9) x = 9;", "x += 1;", kind, "x += 1;");
    goes_wrong("int(0..9) x = 9;", "x++;", kind, "x++;");
    goes_wrong("nat n;", "n = n - 1;", kind, "n - 1");
    goes_wrong("int[2] a; int(0..1) i;", "i = a[1] + 2;", kind, "a[1] + 2");
    let local = "int(0..3) y = x + 3;";
    goes_wrong("int x = 1;", local, kind, "x + 3");
}

#[test]
fn every_assignment_operator() {
    let effect = "x += 5; assert x == 12; x -= 2; assert x == 10; x *= 3; assert x == 30;
                  x /= 4; assert x == 7; x %= 4; assert x == 3; x++; assert x == 4; x--;
                  assert x == 3; a[1] += 2; a[1] += 2; assert a[1] == 4 && a[0] == 0;";
    passes("", "int x = 7; int[2] a;", effect);
}

#[test]
fn only_what_is_needed_is_evaluated() {
    let variables = "C none; int zero; bool b;";
    let effect = "b = false && none.zero == 1; assert !b; b = true || 1 / zero == 1; assert b;
                  b = false -> 1 % zero == 1; assert b; assert (true ? 1 : 1 / zero) == 1;
                  assert (false ? none.zero : 2) == 2;";
    passes("", variables, effect);
    let kind = "reference_fault";
    goes_wrong(variables, "b = none.zero == 1 && false;", kind, "none.zero");
    goes_wrong(variables, "b = true && none.zero == 1;", kind, "none.zero");
    goes_wrong(variables, "b = true -> none.zero == 1;", kind, "none.zero");
}

#[test]
fn operators_bind_as_the_grammar_says() {
    let effect = "assert 2 + 3 * 4 == 14; assert 10 - 3 - 2 == 5; assert 100 / 10 / 5 == 2;
                  assert -2 * 3 == -6; assert !false && true; assert true || false && false;
                  assert false -> false -> false; assert (false -> false) -> true;
                  assert true <-> 1 < 2; assert false <-> true || true ? false : true;
                  assert 1 + 1 == 2 && 5 % 3 == 2; assert true ? true : false;";
    passes("", "", effect);
}

#[test]
fn the_smallest_64_bit_number_can_be_negated_without_a_crash() {
    let declarations = "const LEAST = -9223372036854775807 - 1;";
    let text = program(declarations, "integer z;", "z = -LEAST;");
    let (_, blamed) = blame(&text, "arithmetic_fault");
    assert_eq!(blamed, "-LEAST");
    passes(
        declarations,
        "integer z = LEAST;",
        "assert z == LEAST; assert z < 0;",
    );
}

#[test]
fn what_a_wrap_variable_gets_wraps_at_every_range() {
    let narrow = "wrap int(9223372036854775806..9223372036854775807) x = 9223372036854775807;";
    passes("", narrow, "x = x + 1; assert x == 9223372036854775806;");
    let wide = "wrap int(-9223372036854775808..9223372036854775807) x = 9223372036854775807;";
    for effect in [
        "x += 1; assert x == -9223372036854775808; x = -x; assert x == -9223372036854775808;",
        "x = (x + 3) * 2 - 4; assert x == 0;",
        "x = x > 0 ? x * x : 0; assert x == 1;",
        "x = choose { x + 2, x + 2 }; assert x == -9223372036854775807;",
    ] {
        passes("", wide, effect);
    }
    // Only what is kept there: a comparison is of numbers, and a quotient needs to know them.
    goes_wrong(wide, "assert x + 1 > x;", "arithmetic_fault", "x + 1");
    goes_wrong(wide, "x = (x + 1) / 2;", "arithmetic_fault", "(x + 1)");
}

#[test]
fn the_smallest_number_can_be_written() {
    let variables = "integer z = -9223372036854775808;";
    passes("", variables, "assert z + 1 == -9223372036854775807;");
}
