package io.bloomgate.gateway.demo;

import io.bloomgate.gateway.demo.DemoMail.Verdict;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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
                + "Bloom filters: %d hits, %d confirmed, %d %s",
            count(Verdict.ACCEPT),
            count(Verdict.TAG),
            count(Verdict.REJECT),
            count(Verdict.TEMPFAIL),
            lookups.hits(),
            lookups.confirmed(),
            lookups.falsePositives(),
            lookups.falsePositives() == 1 ? "false positive" : "false positives"));
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
}
