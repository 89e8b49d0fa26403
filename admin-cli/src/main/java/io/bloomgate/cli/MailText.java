package io.bloomgate.cli;

import io.bloomgate.blocklists.explain.ShownKey;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Output;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.notation.TerminalText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The answer to {@code explain FILE.eml} for people: the verdict, then the keys that lists or
 * entries of the operator know, then the others by number. Texts of the mail are escaped by {@link
 * HumanText}.
 */
final class MailText {

  private MailText() {}

  /**
   * Shows it.
   *
   * @param each true to show each key that is on no list
   */
  static void show(JsonObject e, Output out, boolean each) {
    out.line(ExplainText.headline(e, out));
    e.object("shape")
        .flatMap(shape -> shape.object("limit"))
        .ifPresent(limit -> out.line("  refused  by its shape: beyond {name} {value}", limit));
    session(e, out);
    Map<String, Integer> clean = new LinkedHashMap<>();
    for (JsonObject key : e.objects("keys")) {
      boolean known = !key.elements("listings").isEmpty() || key.object("allow").isPresent();
      if (known) {
        out.line("  carries  " + key(key));
        key.objects("listings").stream()
            .flatMap(listing -> ExplainText.listing(listing, false).stream())
            .forEach(line -> out.line("  " + line));
        if (key.object("allow").isPresent()) {
          out.line("    allow    " + ExplainText.allow(key));
        }
      } else if (each) {
        out.line("  clean    " + key(key));
      } else {
        clean.merge(HumanText.value(key, "check"), 1, Integer::sum);
      }
    }
    if (!clean.isEmpty()) {
      out.line(
          "  clean    "
              + clean.entrySet().stream()
                  .map(one -> one.getValue() + " " + one.getKey())
                  .collect(Collectors.joining(", ")));
    }
    prints(e, out);
    shape(e, out);
    e.objects("signs").forEach(shown -> out.line("  shows    {sign}  {seen}", shown));
    for (JsonValue skipped : e.elements("not_looked_at")) {
      out.line("  skipped  " + HumanText.value(skipped));
    }
    ExplainText.rest(e, out);
  }

  /** Prints the listings of the session; those of the content are shown with its keys. */
  private static void session(JsonObject e, Output out) {
    e.objects("listings").stream()
        .filter(listing -> listing.object("rule").isPresent() || !isOfContent(listing))
        .flatMap(listing -> ExplainText.listing(listing, false).stream())
        .forEach(out::line);
  }

  private static boolean isOfContent(JsonObject listing) {
    String kind = listing.text("kind").orElse("");
    return Check.OF_CONTENT.stream().anyMatch(check -> check.key().equals(kind));
  }

  private static String key(JsonObject key) {
    String place = HumanText.value(key, "place");
    return HumanText.value(key, "check")
        + "  "
        + TerminalText.safe(
            ShownKey.ofMail(key.text("check").orElse(""), key.text("key").orElse("-")))
        + (place.equals("open") ? "" : "  " + ExplainText.place(place));
  }

  /** The fingerprints, which `block add --subject` and feeds name. */
  private static void prints(JsonObject e, Output out) {
    e.objects("keys").stream()
        .filter(key -> {
          String check = key.text("check").orElse("");
          return check.equals(Check.SUBJECT.key())
              || (check.equals(Check.BODY.key())
                  && !key.text("key").orElse("").startsWith("like:"));
        })
        .forEach(key -> out.line("  print    {check}  {key}", key));
  }

  private static void shape(JsonObject e, Output out) {
    e.object("shape")
        .ifPresent(shape -> {
          String parts = shape.number("parts").orElse(0) == 1 ? "part" : "parts";
          out.line("  shape    {parts} " + parts + ", depth {depth}", shape);
        });
  }
}
