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

  /** The largest number of lines that are shown of a kind: more would hide the verdict. */
  private static final int SHOWN = 10;

  private FeedTestText() {}

  static void show(JsonObject t, Output out) {
    String lines = t.number("lines").orElse(0) == 1 ? "line" : "lines";
    out.line("{source}: format {format}, {lines} " + lines, t);
    out.line("  entries    {entries}; exceptions {exceptions}; invalid {invalid}", t);
    t.object("urls")
        .filter(u -> u.number("hosts").orElse(0) + u.number("shared_hosts").orElse(0) > 0)
        .ifPresent(u ->
            out.line(
                "  URLs       hosts that the check url_host finds {hosts}; shared hosts, of which"
                    + " only the URLs count {shared_hosts}",
                u));
    t.object("names").ifPresent(n -> out.line("  names      " + names(n)));
    t.object("guard").ifPresent(g -> guard(g, out));
    t.object("known_good").ifPresent(g -> KnownGoodText.show(g, out));
    lines(t.objects("problems"), "  line {line}: {reason}: {text}", out);
    for (JsonObject query : t.objects("queries")) {
      boolean listed = query.isTrue("listed");
      String answer = listed ? "is listed by {entry}, line {line}" : "is not listed";
      out.line("  query      {subject} " + answer, query);
    }
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
    out.line("  guard      " + painted + ", held back {held_entries}", g);
    for (JsonValue reason : g.elements("reasons")) {
      out.line("             " + HumanText.value(reason));
    }
    lines(g.objects("held"), "             {entry} in line {line}: {reason}", out);
  }

  private static void lines(List<JsonObject> all, String text, Output out) {
    all.stream().limit(SHOWN).forEach(one -> out.line(text, one));
    if (all.size() > SHOWN) {
      out.line("  and " + (all.size() - SHOWN) + " more; -o json shows them");
    }
  }
}
