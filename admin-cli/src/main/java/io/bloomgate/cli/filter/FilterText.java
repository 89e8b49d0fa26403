package io.bloomgate.cli.filter;

import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Template;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.notation.TerminalText;
import java.math.MathContext;
import java.util.List;
import java.util.stream.Stream;

/** Filters for a person: the objects of answers, filled into sentences and tables. Pure. */
final class FilterText {

  /** Rounds to as many digits as the number of random hashes allows: 99.9999 is not 100. */
  private static final MathContext SIX_DIGITS = new MathContext(6);

  private FilterText() {}

  private static void row(Output out, String name, String text, JsonObject object) {
    out.line("  %-10s %s".formatted(name, text), object);
  }

  /** The object of {@code filter inspect}. */
  static void show(JsonObject f, Output out) {
    String kind = out.palette().bold(HumanText.value(f, "kind"));
    out.line("{file}: " + kind + " filter, format version {version}, whole", f);
    row(out, "entries", "{entries} of {capacity}", f);
    row(
        out,
        "size",
        "{bits} bits, {bits_per_entry} an entry; {hashes} read for a key; file {octets} octets",
        f);
    row(out, "fill", "{%fill}", f);
    row(out, "asked", "{%asked_fpp} false positives", f);
    row(out, "expected", "{%expected_fpp}", f);
    if (f.text("seed_id").isPresent()) {
      row(out, "seed id", "{seed_id}", f);
    }
    if (!f.elements("slices").isEmpty()) {
      slices(f, out);
    }
  }

  /** The slices of a filter that grows, and the counters of one that counts, as a table. */
  private static void slices(JsonObject filter, Output out) {
    List<JsonObject> slices = filter.objects("slices");
    boolean counts = slices.stream().anyMatch(slice -> slice.get("counters").isPresent());
    String row =
        (counts
                ? "|{capacity}|{counters}|{hashes}|{used}|{overflowed}|{estimated_keys}"
                : "|{capacity}|{bits}|{hashes}|{used}|{estimated_keys}")
            + "|{%fill}|{%share_fpp}|{%expected_fpp}";
    // The columns are named as the members are.
    TextTable table = new TextTable(">slice" + row.replaceAll("[{%}]|_fpp", "").replace("|", "|>"));
    for (int i = 0; i < slices.size(); i++) {
      table.row(Template.cells((i + 1) + row, slices.get(i), out.now()));
    }
    table.print(out);
  }

  /** The object of {@code filter build}, {@code filter merge} and {@code filter intersect}. */
  static void built(JsonObject f, Output out) {
    show(f, out);
    row(out, "measured", "{%measured_fpp} of {probes} random hashes", f);
    boolean joins = Stream.of("merged", "intersected").anyMatch(w -> !f.elements(w).isEmpty());
    if (!joins) {
      row(
          out,
          "read",
          "{keys} keys, repeats included; exceptions {exceptions}, bad lines {invalid}",
          f);
    }
    for (String word : List.of("merged", "intersected")) {
      if (!f.elements(word).isEmpty()) {
        row(out, word, "{" + word + "}", f);
      }
    }
    if (f.number("known_good").orElse(0) > 0) {
      row(out, "known good", "{known_good} keys, proven never to hit", f);
    }
    if (f.get("seconds").isPresent()) {
      row(out, "time", "{seconds} s", f);
    }
  }

  /** The object of {@code filter pack}. */
  static void packed(JsonObject f, Output out) {
    out.line("{file}: {octets} octets for {before}, {%ratio}; form {form}", f);
  }

  /** The object of {@code filter push}. */
  static void pushed(JsonObject f, Output out) {
    boolean bits = HumanText.value(f, "form").equals("bits");
    String form = bits ? "plain bits of {octets} octets" : "filter of the Bloom module";
    out.line("{key}: {entries} entries, {%asked_fpp} false positives, " + form, f);
    row(out, "time", "{seconds} s", f);
  }

  /** The object of {@code filter verify}. */
  static void verdict(JsonObject f, Output out) {
    out.line(
        f.text("reason")
            .map(reason -> out.palette().bad("damaged") + ": " + TerminalText.safe(reason))
            .orElseGet(() -> Template.fill("{file} is ", f) + out.palette().good("whole")));
  }

  /** An object of {@code filter query}. */
  static void answer(JsonObject a, Output out) {
    String word = a.get("maybe").isEmpty() ? "?    " : a.isTrue("maybe") ? "maybe" : "no   ";
    String painted = a.isTrue("maybe") ? out.palette().warn(word) : word;
    out.verbatim((painted + Template.fill("  {key}", a)).stripTrailing());
  }

  /** The object of a key of {@code filter add} and {@code filter remove}. */
  static void changed(JsonObject answer, Output out) {
    String word =
        switch (answer.text("outcome").orElse("")) {
          case "new" -> out.palette().good("new  ");
          case "maybe" -> out.palette().warn("maybe");
          case "removed" -> out.palette().good("removed  ");
          case "never" -> out.palette().bad("never    ");
          case "kept" -> out.palette().warn("kept     ");
          default -> "unchanged";
        };
    out.verbatim(word + Template.fill("  {key}", answer));
  }

  /** The last object of {@code filter add} and {@code filter remove}. */
  static void change(JsonObject change, Output out) {
    String done =
        change.get("new").isPresent()
            ? "{keys} added, {new} of them new"
            : "{removed} removed of {keys}";
    String why =
        change.number("never").orElse(0) > 0
            ? ", because a key was never added; nothing was changed"
            : "";
    out.line("{file}: " + done + why + "; {entries} of {capacity} entries", change);
  }

  /** The object of {@code filter estimate}. */
  static void estimated(JsonObject estimate, Output out) {
    if (estimate.get("a").isEmpty()) {
      side(estimate, out);
      return;
    }
    side(part(estimate, "a"), out);
    side(part(estimate, "b"), out);
    out.line(
        "both: " + number(estimate, "both") + "; either: {either}; similarity {%similarity}",
        estimate);
  }

  private static JsonObject part(JsonObject object, String name) {
    return object.object(name).orElseGet(() -> JsonValue.object().build());
  }

  private static void side(JsonObject side, Output out) {
    String keys = number(side, "estimated_keys");
    out.line("{file}: " + keys + " distinct keys by a fill of {%fill}; entries {entries}", side);
  }

  private static String number(JsonObject object, String name) {
    return object.number(name).isEmpty()
        ? "any number of"
        : "about {" + name + "} (deviation {deviation})";
  }

  /** A key that a filter lacks, of {@code filter diff}. */
  static void missing(JsonObject key, Output out) {
    out.verbatim(out.palette().good("+ ") + Template.fill("{key}", key));
  }

  /** The last object of {@code filter diff}. */
  static void difference(JsonObject diff, Output out) {
    String about = diff.isTrue("estimated") ? "about " : "";
    out.line(
        "Of {distinct} distinct keys of {list}, {inside} may be in {filter} and {missing} are"
            + " certainly not. Of its "
            + about
            + "{entries} entries about {only_in_filter} are not in the list.",
        diff);
  }

  private static String title(JsonObject side) {
    return "|>" + Template.fill("{file}", side).replace('|', ' ');
  }

  /** The object of {@code filter compare}. */
  static void compared(JsonObject c, Output out) {
    JsonObject a = part(c, "a");
    JsonObject b = part(c, "b");
    TextTable table = new TextTable(title(a) + title(b));
    String names =
        "kind|entries|capacity|bits|bits_per_entry|octets"
            + "|%fill|%asked_fpp|%expected_fpp|%measured_fpp";
    for (String name : Template.columns(names)) {
      String place = "{" + name + "}";
      table.row(List.of(name.replace("%", ""), Template.fill(place, a), Template.fill(place, b)));
    }
    table.row(
        List.of("lookup", Template.fill("{lookup_ns} ns", a), Template.fill("{lookup_ns} ns", b)));
    table.print(out);
    out.line(
        "They answer alike for "
            + Template.percent(c, "agreement", SIX_DIGITS)
            + " of {probes} random hashes. The lookup times hold for this machine and this"
            + " program.",
        c);
    c.object("on_keys")
        .ifPresentOrElse(
            k ->
                out.line(
                    "Of {keys} keys of {file}: both maybe {both}, only the first {only_a}, only"
                        + " the second {only_b}, neither {neither}.",
                    k),
            () -> {
              if (!c.isTrue("same_seed")) {
                out.line(
                    "Their seeds differ, so the files alone do not show whether they hold the same"
                        + " keys; --keys FILE asks both for the keys of a list.");
              }
            });
  }
}
