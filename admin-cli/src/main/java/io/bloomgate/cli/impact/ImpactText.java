package io.bloomgate.cli.impact;

import io.bloomgate.blocklists.impact.ImpactReport;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.notation.Quantities;
import io.bloomgate.config.notation.TerminalText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The answer of {@code impact} and {@code replay} for a person. Pure. */
final class ImpactText {

  private static final String NOT_KEPT = "the contents of mails are not kept";

  private ImpactText() {}

  /**
   * The checks of a list that cannot be judged by sessions that were kept.
   *
   * @param checks that need the content of mails
   * @param all the list has no other checks
   */
  record Unjudged(List<Check> checks, boolean all) {

    /** More than one list, or a list without such checks. */
    static final Unjudged NOTHING = new Unjudged(List.of(), false);

    /** Finds those among the checks of a list. */
    static Unjudged of(Set<Check> checks) {
      List<Check> unjudged = checks.stream().filter(Check.OF_CONTENT::contains).sorted().toList();
      return new Unjudged(unjudged, !checks.isEmpty() && unjudged.size() == checks.size());
    }

    List<String> keys() {
      return checks.stream().map(Check::key).toList();
    }
  }

  /** 4 when senders would be refused whose mail was accepted, be it by mode observe only. */
  static int exitCode(ImpactReport report) {
    ImpactReport.Group fresh = report.fresh();
    return fresh.known().count() + fresh.noted().count() == 0 ? ExitCode.OK : ExitCode.PARTLY;
  }

  /**
   * Prints the answer.
   *
   * @param what changes
   * @param when the words for the time of accepted mail that makes a sender known
   */
  static void show(String what, String when, ImpactReport report, Unjudged unjudged, Output out) {
    out.line(
        "%s%s, %s with accepted mail"
            .formatted(
                sessions(report.sessions()),
                window(report),
                Quantities.grouped(report.delivered())));
    if (unjudged.all()) {
      out.line(TerminalText.safe(what) + ": not judged: " + NOT_KEPT);
      return;
    }
    long tagged = report.tagged().sessions();
    String tags = tagged == 0 ? "" : ", tags " + Quantities.grouped(tagged);
    out.line(TerminalText.safe(what) + ": refuses " + sum(report.hits()) + tags);
    if (!unjudged.checks().isEmpty()) {
      out.line("  not judged: " + String.join(", ", unjudged.keys()) + ", as " + NOT_KEPT);
    }
    already(report, out);
    group("new", when, report.fresh(), out);
    if (report.fewer().sum().sessions() > 0) {
      group("refused no longer", when, report.fewer(), out);
    }
    notKnown(report, out);
  }

  private static void already(ImpactReport report, Output out) {
    ImpactReport.Already already = report.already();
    if (already.sum().sessions() > 0) {
      out.line("  " + sum(already.sum()) + " refused already" + others(already.lists()));
    }
  }

  private static String window(ImpactReport report) {
    if (report.first() == null || report.last() == null) {
      return "";
    }
    return " in %s (%s to %s)"
        .formatted(
            Quantities.rough(Duration.between(report.first(), report.last())),
            HumanText.day(report.first().toString()),
            HumanText.day(report.last().toString()));
  }

  private static String sum(ImpactReport.Sum sum) {
    String later =
        " (%s of them for now only, with a 451)".formatted(Quantities.grouped(sum.putOff()));
    return Quantities.grouped(sum.sessions()) + (sum.putOff() == 0 ? "" : later);
  }

  private static String others(Map<String, Long> lists) {
    String all =
        lists.entrySet().stream()
            .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
            .map(list ->
                TerminalText.safe(list.getKey()) + " " + Quantities.grouped(list.getValue()))
            .collect(Collectors.joining(", "));
    return lists.isEmpty() ? "" : ": " + all;
  }

  private static void group(String what, String when, ImpactReport.Group group, Output out) {
    ImpactReport.Sum sum = group.sum();
    if (sum.sessions() == 0) {
      out.line("  " + sum(sum) + " " + what);
      return;
    }
    out.line(
        "  %s %s, %s delivered then"
            .formatted(sum(sum), what, Quantities.grouped(sum.delivered())));
    long unknown =
        sum.sessions() - group.known().sessions() - group.noted().sessions() - group.omitted();
    out.line(
        "    %s from %s, of senders (network and sender domain) without accepted mail %s"
            .formatted(
                Quantities.grouped(unknown), count(group.unknownNetworks(), "network"), when));
    senders(group.known(), "was accepted " + when + ": look at these", out);
    senders(
        group.noted(),
        "only mode observe or an exemption let pass:"
            + " spam or a partner, look at these before you enforce",
        out);
    table(group.known(), out);
    table(group.noted(), out);
    top("NETWORK", group.networks(), group.networkCount(), out);
    top("SENDER DOMAIN", group.domains(), group.domainCount(), out);
    if (group.omitted() > 0) {
      out.line("    " + sessions(group.omitted()) + " of further senders are counted, not named");
    }
  }

  private static void senders(ImpactReport.Senders senders, String whoseMail, Output out) {
    if (senders.count() > 0) {
      String sessions = out.palette().bad(Quantities.grouped(senders.sessions()));
      out.line(
          "    %s from %s whose mail %s"
              .formatted(sessions, count(senders.count(), "sender"), whoseMail));
    }
  }

  private static void table(ImpactReport.Senders senders, Output out) {
    if (senders.count() == 0) {
      return;
    }
    TextTable table =
        new TextTable("SENDER DOMAIN|NETWORK|>SESSIONS|>DELIVERED|>ACCEPTED|LIST|ENTRY");
    for (ImpactReport.Sender sender : senders.most()) {
      table.row(
          List.of(
              domain(sender.domain()),
              sender.network().toString(),
              Quantities.grouped(sender.sessions()),
              Quantities.grouped(sender.delivered()),
              Quantities.grouped(sender.accepted()),
              sender.list(),
              sender.entry()));
    }
    out.line("");
    table.print(out);
    more(senders.most().size(), senders.count(), out);
  }

  private static void top(
      String heading, List<? extends ImpactReport.Row> rows, int all, Output out) {
    TextTable table = new TextTable(heading + "|>SESSIONS|>DELIVERED");
    rows.forEach(row ->
        table.row(
            List.of(
                domain(row.name()),
                Quantities.grouped(row.sessions()),
                Quantities.grouped(row.delivered()))));
    out.line("");
    table.print(out);
    more(rows.size(), all, out);
  }

  private static void more(int shown, int all, Output out) {
    if (all > shown) {
      out.line("and " + Quantities.grouped(all - shown) + " more");
    }
  }

  private static String domain(String name) {
    return name.isEmpty() ? "(no sender)" : name;
  }

  private static void notKnown(ImpactReport report, Output out) {
    report
        .missing()
        .forEach((part, count) ->
            out.note(
                "%s is not known of %s: lists were not asked about it"
                    .formatted(part.key().replace('_', ' '), sessions(count))));
    if (report.forgotten() > 0) {
      out.note(
          "senders of %s with accepted mail were too many to be remembered"
              .formatted(sessions(report.forgotten())));
    }
  }

  private static String sessions(long number) {
    return count(number, "session");
  }

  private static String count(long number, String noun) {
    return Quantities.count(number, noun, noun + "s");
  }
}
