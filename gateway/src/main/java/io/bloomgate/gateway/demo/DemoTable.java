package io.bloomgate.gateway.demo;

import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.notation.Quantities;
import io.bloomgate.config.notation.TextColumns;
import io.bloomgate.gateway.demo.DemoMails.DemoClient;
import io.bloomgate.gateway.demo.DemoMails.DemoMail;
import io.bloomgate.gateway.demo.DemoMails.DemoMail.Verdict;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Prints the rows and the summary of the demo. Used by {@link Demo} on its thread. */
final class DemoTable {

  private static final List<String> TITLES =
      List.of("no", "client", "sender", "at", "verdict", "why", "ms");

  /** The column with milliseconds. */
  private static final int MS = 6;

  private static final String LONGEST_TIME = "999.9";

  /** Characters of an address of the network that the demo tries. */
  private static final int LONGEST_CLIENT = 17;

  /** The width of the column with reasons, which go on below: all columns have 100 then. */
  private static final String REASON = "-".repeat(25);

  private final PrintStream out;
  private final TextColumns columns;
  private final Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
  private int rows;
  private int asExpected;

  /** A table for these mails, whose reasons are not known yet. */
  DemoTable(PrintStream out, List<DemoMail> mails) {
    this.out = out;
    List<List<String>> sample = new ArrayList<>();
    sample.add(List.of("", "-".repeat(LONGEST_CLIENT), "", "", "", REASON, LONGEST_TIME));
    for (DemoMail mail : mails) {
      sample.add(cells(mails.size(), mail, mail.stage(), mail.expected(), REASON, LONGEST_TIME));
    }
    this.columns = new TextColumns(sample, Integer.MAX_VALUE, Integer.MAX_VALUE);
    print(TITLES);
  }

  private static List<String> cells(
      int number, DemoMail mail, String stage, Verdict verdict, String why, String ms) {
    return List.of(
        String.valueOf(number),
        mail.client(),
        mail.from().isEmpty() ? "<>" : mail.from(),
        stage,
        verdict.key(),
        why,
        ms);
  }

  /** The outcome of one mail. */
  record Row(
      DemoMail mail, DemoClient.Result result, Verdict verdict, String why, List<String> faults) {}

  void add(Row row) {
    rows++;
    counts.merge(row.verdict(), 1, Integer::sum);
    String ms = String.format(Locale.ROOT, "%.1f", row.result().millis());
    String why = row.mail().shows() + ": " + row.why();
    print(cells(rows, row.mail(), row.result().stage(), row.verdict(), why, ms));
    row.faults().forEach(fault -> print("    NOT AS EXPECTED: " + fault));
    if (row.faults().isEmpty()) {
      asExpected++;
    }
  }

  /** True when every mail fared as it must. */
  boolean summary(DemoGateway.Lookups lookups, int mails) {
    print("");
    print(
        String.format(
            Locale.ROOT,
            "%d accepted, %d tagged, %d rejected, %d tempfail; "
                + "Bloom filters: %d hits, %d confirmed, %s",
            count(Verdict.ACCEPT),
            count(Verdict.TAG),
            count(Verdict.REJECT),
            count(Verdict.TEMPFAIL),
            lookups.hits(),
            lookups.confirmed(),
            Quantities.count(lookups.falsePositives(), "false positive", "false positives")));
    print(asExpected + " of " + mails + " mails as expected, in verdict and delivery");
    return asExpected == mails && rows == mails;
  }

  private void print(List<String> cells) {
    columns
        .lines(cells, column -> column == 0 || column == MS, -1, UnaryOperator.identity())
        .forEach(this::print);
  }

  private void print(String line) {
    out.println(line.stripTrailing());
    out.flush();
  }

  private int count(Verdict verdict) {
    return counts.getOrDefault(verdict, 0);
  }

  /** Says in a few words why a mail fared as it did, from the gateway's own explanation. Pure. */
  static final class RefusalReason {

    private static final int MAX_REPLY = 60;

    private RefusalReason() {}

    static String of(JsonObject explanation, DemoClient.Result result) {
      String verdict = explanation.text("verdict").orElse("");
      if (verdict.equals("accept") && !result.accepted()) {
        return shortened(result.code() + " " + result.reply());
      }
      List<JsonObject> listings = explanation.objects("listings");
      Optional<JsonObject> standing =
          listings.stream().filter(l -> l.text("pardon").isEmpty()).findFirst();
      if (standing.isPresent()) {
        return listing(standing.get());
      }
      if (!listings.isEmpty()) {
        JsonObject first = listings.getFirst();
        return listing(first) + " " + first.text("pardon").orElse("");
      }
      return bloomHit(explanation) ? "not listed, the exact index says" : "not listed";
    }

    private static String shortened(String reply) {
      return reply.length() <= MAX_REPLY ? reply : reply.substring(0, MAX_REPLY - 3) + "...";
    }

    private static String listing(JsonObject listing) {
      return listing.text("feed").orElse("") + " " + listing.text("entry").orElse("");
    }

    /** True when a filter took the client for a listed one and the exact index did not. */
    static boolean bloomHit(JsonObject explanation) {
      return explanation
          .object("bloom")
          .filter(bloom -> bloom.isTrue("hit") && !bloom.isTrue("confirmed"))
          .isPresent();
    }
  }
}
