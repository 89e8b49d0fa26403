package io.bloomgate.cli.feeds;

import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Output;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The object of {@code feeds test} for a person. Pure. */
final class FeedTestText {

  /** The largest number of bad lines that are shown: more would hide the verdict above them. */
  private static final int SHOWN_PROBLEMS = 10;

  private FeedTestText() {}

  static void show(JsonObject t, Output out) {
    out.line(
        HumanText.value(t, "source")
            + ": format "
            + HumanText.value(t, "format")
            + ", "
            + HumanText.value(t, "lines")
            + (t.number("lines").orElse(0) == 1 ? " line" : " lines"));
    out.line(
        "  entries    "
            + t.object("entries").map(HumanText::value).orElse("-")
            + "; exceptions "
            + HumanText.value(t, "exceptions")
            + "; invalid "
            + HumanText.value(t, "invalid"));
    t.object("urls")
        .filter(u -> u.number("hosts").orElse(0) + u.number("shared_hosts").orElse(0) > 0)
        .ifPresent(u -> urls(u, out));
    t.object("names").ifPresent(n -> out.line("  names      " + names(n)));
    t.object("guard").ifPresent(g -> guard(g, out));
    t.object("known_good").ifPresent(g -> KnownGoodText.show(g, out));
    problems(t.elements("problems"), out);
    for (JsonValue query : t.elements("queries")) {
      if (query instanceof JsonObject q) {
        query(q, out);
      }
    }
  }

  /** Prints of a list of URLs how many hosts are listed whole, and how many by their URLs only. */
  private static void urls(JsonObject u, Output out) {
    out.line(
        "  URLs       hosts that the check url_host finds "
            + HumanText.value(u, "hosts")
            + "; shared hosts, of which only the URLs count "
            + HumanText.value(u, "shared_hosts"));
  }

  /** Says what the names of a list match; a list may have names of several kinds. */
  private static String names(JsonObject n) {
    long exact = n.number("exact").orElse(0);
    long suffix = n.number("suffix").orElse(0);
    long below = n.number("below").orElse(0);
    if (suffix + below == 0) {
      return "match exactly: not what is below them (`match: suffix` in the settings does)";
    }
    if (exact + below == 0) {
      return "match with all below them";
    }
    return Stream.of(
            count("exactly ", exact),
            count("with all below ", suffix),
            count("only what is below ", below))
        .flatMap(Optional::stream)
        .collect(Collectors.joining(", "));
  }

  private static Optional<String> count(String what, long names) {
    return names == 0 ? Optional.empty() : Optional.of(what + names);
  }

  private static void guard(JsonObject g, Output out) {
    String verdict = HumanText.value(g, "verdict");
    String painted =
        switch (verdict) {
          case "accept" -> out.palette().good(verdict);
          case "accept-rest" -> out.palette().warn(verdict);
          default -> out.palette().bad(verdict);
        };
    out.line("  guard      " + painted + ", held back " + HumanText.value(g, "held_entries"));
    for (JsonValue reason : g.elements("reasons")) {
      out.line("             " + HumanText.value(reason));
    }
  }

  private static void problems(List<JsonValue> problems, Output out) {
    problems.stream()
        .limit(SHOWN_PROBLEMS)
        .forEach(value -> {
          if (value instanceof JsonObject p) {
            out.line(
                "  line "
                    + HumanText.value(p, "line")
                    + ": "
                    + HumanText.value(p, "reason")
                    + ": "
                    + HumanText.value(p, "text"));
          }
        });
    if (problems.size() > SHOWN_PROBLEMS) {
      out.line("  and " + (problems.size() - SHOWN_PROBLEMS) + " more; -o json shows them");
    }
  }

  private static void query(JsonObject q, Output out) {
    String subject = HumanText.value(q, "subject");
    out.line(
        q.isTrue("listed")
            ? "  query      "
                + subject
                + " is listed by "
                + HumanText.value(q, "entry")
                + ", line "
                + HumanText.value(q, "line")
            : "  query      " + subject + " is not listed");
  }
}
