package io.bloomgate.cli.filter;

import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.TerminalText;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Set;

/** Filters for a person. Pure. */
final class FilterText {

  private static final MathContext THREE_DIGITS = new MathContext(3);

  /** Rounds to as many digits as the number of random hashes allows: 99.9999 is not 100. */
  private static final MathContext SIX_DIGITS = new MathContext(6);

  private FilterText() {}

  /** The object of {@code filter inspect}. */
  static void show(JsonObject f, Output out) {
    out.line(
        HumanText.value(f, "file")
            + ": "
            + out.palette().bold(HumanText.value(f, "kind"))
            + " filter, format version "
            + HumanText.value(f, "version")
            + ", whole");
    row(out, "entries", HumanText.value(f, "entries") + " of " + HumanText.value(f, "capacity"));
    row(
        out,
        "size",
        HumanText.value(f, "bits")
            + " bits, "
            + HumanText.value(f, "bits_per_entry")
            + " an entry; "
            + HumanText.value(f, "hashes")
            + " read for a key; file "
            + HumanText.value(f, "octets")
            + " octets");
    row(out, "fill", percent(f, "fill"));
    row(out, "asked", percent(f, "asked_fpp") + " false positives");
    row(out, "expected", percent(f, "expected_fpp"));
    f.text("seed_id").ifPresent(id -> row(out, "seed id", TerminalText.safe(id)));
    if (!f.elements("slices").isEmpty()) {
      SliceText.show(f, out);
    }
  }

  /** The object of {@code filter build}. */
  static void built(JsonObject f, Output out) {
    show(f, out);
    row(
        out,
        "measured",
        percent(f, "measured_fpp") + " of " + HumanText.value(f, "probes") + " random hashes");
    if (f.elements("merged").isEmpty()) {
      row(
          out,
          "read",
          HumanText.value(f, "keys")
              + " keys, repeats included; exceptions "
              + HumanText.value(f, "exceptions")
              + ", bad lines "
              + HumanText.value(f, "invalid"));
    } else {
      row(out, "merged", HumanText.value(f, "merged"));
    }
    if (f.number("known_good").orElse(0) > 0) {
      row(out, "known good", HumanText.value(f, "known_good") + " keys, proven never to hit");
    }
    row(out, "time", HumanText.value(f, "seconds") + " s");
  }

  /** The object of {@code filter merge} and {@code filter intersect}. */
  static void joined(JsonObject f, Output out) {
    show(f, out);
    row(
        out,
        "measured",
        percent(f, "measured_fpp") + " of " + HumanText.value(f, "probes") + " random hashes");
    for (String word : List.of("merged", "intersected")) {
      if (f.get(word).isPresent()) {
        row(out, word, HumanText.value(f, word));
      }
    }
  }

  /** The object of {@code filter push}. */
  static void pushed(JsonObject f, Output out) {
    String rate = percent(f, "asked_fpp") + " false positives";
    boolean bits = HumanText.value(f, "form").equals("bits");
    out.line(
        HumanText.value(f, "key")
            + ": "
            + HumanText.value(f, "entries")
            + " entries, "
            + rate
            + (bits
                ? ", plain bits of " + HumanText.value(f, "octets") + " octets"
                : ", filter of the Bloom module"));
    row(out, "time", HumanText.value(f, "seconds") + " s");
  }

  /** The object of {@code filter verify}. */
  static void verdict(JsonObject f, Output out) {
    out.line(
        f.text("reason")
            .map(reason -> out.palette().bad("damaged") + ": " + TerminalText.safe(reason))
            .orElseGet(() -> HumanText.value(f, "file") + " is " + out.palette().good("whole")));
  }

  /** An object of {@code filter query}. */
  static void answer(JsonObject a, Output out) {
    String word = a.get("maybe").isEmpty() ? "?    " : a.isTrue("maybe") ? "maybe" : "no   ";
    String painted = a.isTrue("maybe") ? out.palette().warn(word) : word;
    out.line((painted + "  " + HumanText.value(a, "key")).stripTrailing());
  }

  /** The object of {@code filter compare}. */
  static void compared(JsonObject c, Output out) {
    JsonObject a = c.object("a").orElseGet(() -> JsonValue.object().build());
    JsonObject b = c.object("b").orElseGet(() -> JsonValue.object().build());
    TextTable table =
        new TextTable(
            List.of("", HumanText.value(a, "file"), HumanText.value(b, "file")), Set.of(1, 2));
    for (String name : List.of("kind", "entries", "capacity", "bits", "bits_per_entry", "octets")) {
      table.row(List.of(name, HumanText.value(a, name), HumanText.value(b, name)));
    }
    for (String name : List.of("fill", "asked_fpp", "expected_fpp", "measured_fpp")) {
      table.row(List.of(name, percent(a, name), percent(b, name)));
    }
    table.row(List.of("lookup", nanos(a), nanos(b)));
    table.print(out);
    agreement(c, out);
  }

  private static void agreement(JsonObject c, Output out) {
    String probes = HumanText.value(c, "probes");
    out.line(
        "They answer alike for "
            + percent(c, "agreement", SIX_DIGITS)
            + " of "
            + probes
            + " random hashes. The lookup times hold for this machine and this program.");
    c.object("on_keys")
        .ifPresentOrElse(
            k -> onKeys(k, out),
            () -> {
              if (!c.isTrue("same_seed")) {
                out.line(
                    "Their seeds differ, so the files alone do not show whether they hold the same"
                        + " keys; --keys FILE asks both for the keys of a list.");
              }
            });
  }

  private static void onKeys(JsonObject k, Output out) {
    out.line(
        "Of "
            + HumanText.value(k, "keys")
            + " keys of "
            + HumanText.value(k, "file")
            + ": both maybe "
            + HumanText.value(k, "both")
            + ", only the first "
            + HumanText.value(k, "only_a")
            + ", only the second "
            + HumanText.value(k, "only_b")
            + ", neither "
            + HumanText.value(k, "neither")
            + ".");
  }

  static void row(Output out, String name, String value) {
    out.line("  %-10s %s".formatted(name, value));
  }

  private static String nanos(JsonObject f) {
    return HumanText.value(f, "lookup_ns") + " ns";
  }

  static String percent(JsonObject f, String name) {
    return percent(f, name, THREE_DIGITS);
  }

  private static String percent(JsonObject f, String name, MathContext digits) {
    if (!(f.get(name).orElse(JsonValue.NULL) instanceof JsonNumber(String literal))) {
      return "-";
    }
    BigDecimal percent = new BigDecimal(literal).movePointRight(2).round(digits);
    return (percent.signum() == 0 ? "0" : percent.stripTrailingZeros().toPlainString()) + " %";
  }
}
