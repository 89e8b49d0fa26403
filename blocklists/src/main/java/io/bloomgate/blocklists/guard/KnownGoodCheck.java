package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.guard.KnownGoodHits.Hit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Compares the entries of one list with the known-good set. Takes every entry that may go live, in
 * feed order. An exception takes back what it covers wholly; a list whose exceptions do so is read
 * once more, because they may follow the entries they void. One thread, one reading.
 */
public final class KnownGoodCheck {

  private final KnownGoodSet set;
  private final BitSet voided;
  private final boolean exceptionsKnown;
  private final BitSet hit = new BitSet();
  private final List<Hit> sample = new ArrayList<>();
  private long entries;

  private final SubjectIndex.Hits hits = this::ways;

  /** True when the current entry is an exception. */
  private boolean exception;

  /** The first way that the current entry hits, and is not voided; -1 for none. */
  private int found;

  /** A first reading. */
  public KnownGoodCheck(KnownGoodSet set) {
    this(set, new BitSet(), false);
  }

  private KnownGoodCheck(KnownGoodSet set, BitSet voided, boolean exceptionsKnown) {
    this.set = set;
    this.voided = voided;
    this.exceptionsKnown = exceptionsKnown;
  }

  /** One entry. */
  public void take(ListEntry entry) {
    if (set.isEmpty() || (exceptionsKnown && entry.exception())) {
      return;
    }
    found = -1;
    exception = entry.exception();
    set.index().find(entry, hits);
    if (found >= 0) {
      count(entry);
    }
  }

  private void ways(int from, int behind, boolean wholly) {
    if (exception) {
      // An exception for some hosts of a network leaves the others listed.
      if (wholly) {
        voided.set(from, behind);
      }
      return;
    }
    int way = voided.nextClearBit(from);
    if (way < behind) {
      hit.set(from, behind);
      found = found < 0 ? way : found;
    }
  }

  private void count(ListEntry entry) {
    entries++;
    if (sample.size() < KnownGoodHits.SAMPLE) {
      int subject = set.index().subject(found);
      sample.add(new Hit(entry.text(), entry.line(), set.text(subject), set.place(subject)));
    }
  }

  /** True when exceptions were met that void what was counted before them. */
  public boolean wantsAnotherReading() {
    return !exceptionsKnown && voided.intersects(hit);
  }

  /** The check for that second reading, which takes the same entries. */
  public KnownGoodCheck another() {
    return new KnownGoodCheck(set, voided, true);
  }

  /** The findings so far. */
  public KnownGoodHits hits() {
    BitSet listed = (BitSet) hit.clone();
    listed.andNot(voided);
    BitSet subjects = new BitSet();
    listed.stream().forEach(way -> subjects.set(set.index().subject(way)));
    return entries == 0
        ? KnownGoodHits.NONE
        : new KnownGoodHits(
            subjects.cardinality(),
            entries,
            sample,
            subjects.stream()
                .filter(subject -> set.place(subject).equals(KnownGoodHits.ALLOW_ENTRY))
                .count());
  }
}
