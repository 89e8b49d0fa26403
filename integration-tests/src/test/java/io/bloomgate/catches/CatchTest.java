package io.bloomgate.catches;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.catches.CatchRun.Row;
import io.bloomgate.catches.Trial.Tally;
import io.bloomgate.checkout.Checkout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the profiles catch, and that they refuse no good sender, measured as {@code
 * integration-tests/bench/catch.sh} does it. The copies of real lists lie beside the repository and
 * are no part of it; where they are missing the test is skipped.
 */
class CatchTest {

  private static final Path FEEDS = Checkout.root().resolve("../shared/feeds");
  private static final Path TABLE = Checkout.root().resolve("integration-tests/bench/catch.tsv");

  /** One of this number of addresses of a trap list is asked about. */
  private static final int STEP = 8;

  @TempDir Path folder;

  private static Tally tally(List<Row> rows, String truth, String profile) {
    return rows.stream()
        .filter(r -> r.truth().equals(truth) && r.profile().equals(profile))
        .map(Row::tally)
        .findFirst()
        .orElseThrow();
  }

  /** Percent. */
  private static double caught(List<Row> rows, String truth, String profile) {
    Tally tally = tally(rows, truth, profile);
    return tally.percent(tally.caught());
  }

  private static double refused(List<Row> rows, String truth, String profile) {
    Tally tally = tally(rows, truth, profile);
    return tally.percent(tally.of("reject"));
  }

  @Test
  void theProfilesCatchTrapsAndRefuseNoGoodSender() throws Exception {
    assumeTrue(Files.isDirectory(FEEDS), "there are no copies of real lists here");
    CatchRun run = new CatchRun(TABLE, FEEDS, folder, STEP);
    List<Row> good = run.goodSenders();
    assertEquals(6, good.size());
    for (Row row : good) {
      assertTrue(row.tally().clients() > 100, row::toString);
      assertEquals(0, row.tally().of("reject"), row::toString);
    }
    List<Row> july = run.traps("2026-07");
    assertTrue(caught(july, "psbl", "balanced") >= 47, july::toString);
    List<Row> all = run.trapsOfAll();
    assertTrue(caught(all, "psbl", "balanced") >= 48, all::toString);
    assertTrue(caught(all, "uceprotect-1", "balanced") >= 38, all::toString);
    assertTrue(caught(all, "blocklist-de-all", "balanced") >= 25, all::toString);
    assertTrue(refused(all, "uceprotect-1", "strict") >= 10, all::toString);
  }
}
