package io.bloomgate.gateway.demo;

import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.notation.Quantities;
import io.bloomgate.gateway.demo.DemoMails.DemoClient;
import io.bloomgate.gateway.demo.DemoMails.DemoMail;
import io.bloomgate.gateway.demo.DemoMails.DemoMail.Verdict;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Prints the rows and the summary of the demo. Used by {@link Demo} on its thread. */
final class DemoTable {

  private static final String ROW = "%2s  %-18s  %-28s  %-4s  %-8s  %-86s  %s";

  private final PrintStream out;
  private final Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
  private int rows;
  private int asExpected;

  DemoTable(PrintStream out) {
    this.out = out;
  }

  /** The outcome of one mail. */
  record Row(
      DemoMail mail, DemoClient.Result result, Verdict verdict, String why, List<String> faults) {}

  void head() {
    print(String.format(Locale.ROOT, ROW, "no", "client", "sender", "at", "verdict", "why", "ms"));
  }

  void add(Row row) {
    rows++;
    counts.merge(row.verdict(), 1, Integer::sum);
    print(
        String.format(
            Locale.ROOT,
            ROW,
            rows,
            row.mail().client(),
            row.mail().from().isEmpty() ? "<>" : row.mail().from(),
            row.result().stage(),
            row.verdict().key(),
            row.mail().shows() + ": " + row.why(),
            String.format(Locale.ROOT, "%.1f", row.result().millis())));
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
