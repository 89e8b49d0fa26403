package io.bloomgate.bench;

import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.RemovableFilter;
import io.bloomgate.blocklists.filter.kinds.FilterKinds;
import io.bloomgate.blocklists.filter.kinds.FilterRequest;
import java.io.IOException;

/**
 * Asks filters of every kind for all that was put in, and those that forget for all that was kept
 * after every other entry was taken out. Ends with an error at the first false negative. Argument:
 * membership checks to make at least.
 */
public final class MembershipRun {

  private long checks;

  private MembershipRun() {}

  /** Entry point. */
  public static void main(String[] args) throws IOException, FilterBuildException {
    long wanted = Long.parseLong(args[0]);
    int entries = Math.toIntExact(wanted / FilterKind.values().length + 1);
    MembershipRun run = new MembershipRun();
    for (FilterKind kind : FilterKind.values()) {
      run.check(kind, entries);
    }
    Figures.add("member/checks", (double) run.checks);
    Figures.add("member/false-negatives", 0);
  }

  private void check(FilterKind kind, int entries) throws FilterBuildException {
    long[] hashes = Keys.hashes(entries);
    HashSource knownGood =
        kind == FilterKind.CASCADE
            ? consumer -> {
              for (int i = 0; i < entries / 10; i++) {
                consumer.accept(Keys.mix(Keys.FIRST_ABSENT + i));
              }
            }
            : HashSource.NONE;
    MembershipFilter filter =
        FilterKinds.build(
            kind, new FilterRequest(entries, LookupRun.RATE, knownGood), HashPeers.source(hashes));
    ask(kind, filter, hashes, 1);
    if (filter instanceof RemovableFilter removable) {
      for (int i = 1; i < hashes.length; i += 2) {
        removable.remove(hashes[i]);
      }
      ask(kind, filter, hashes, 2);
    }
    if (kind == FilterKind.CASCADE) {
      knownGood.forEach(hash -> checkSpared(filter, hash));
    }
  }

  private void ask(FilterKind kind, MembershipFilter filter, long[] hashes, int step) {
    for (int i = 0; i < hashes.length; i += step) {
      if (!filter.mightContain(hashes[i])) {
        throw new IllegalStateException(kind.word() + " denies hash number " + i);
      }
      checks++;
    }
  }

  private static void checkSpared(MembershipFilter cascade, long hash) {
    if (cascade.mightContain(hash)) {
      throw new IllegalStateException("the cascade hits a known-good hash");
    }
  }
}
