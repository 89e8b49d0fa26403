package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.guard.KnownGoodHits.Hit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Holds the entries of one list against the known-good set. Takes every entry that may go live, in
 * feed order. An exception takes back what it covers wholly; a list whose exceptions do so is read
 * once more, because they may stand behind the entries they void. One thread, one reading.
 */
public final class KnownGoodCheck {

  private final KnownGoodSet set;
  private final BitSet voided;
  private final boolean exceptionsKnown;
  private final BitSet hit = new BitSet();
  private final List<Hit> sample = new ArrayList<>();
  private long entries;

  /** The first way that the entry in hand hits, and is not voided; -1 for none. */
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
    switch (entry) {
      case ListEntry.Network network -> network(network);
      case ListEntry.Domain domain -> domain(domain);
      case ListEntry.Address address -> {
        String text = address.address().toString();
        int first = set.firstAddress();
        ways(
            first + set.addresses().from(text),
            first + set.addresses().behind(text),
            entry.exception());
      }
    }
    if (found >= 0) {
      count(entry);
    }
  }

  private void network(ListEntry.Network entry) {
    set.networks()
        .overlapping(
            entry.prefix(),
            way -> {
              // An exception for some hosts of a network leaves the others listed.
              boolean wholly = NetworkTable.holds(entry.prefix(), set.networks().network(way));
              if (!entry.exception() || wholly) {
                ways(way, way + 1, entry.exception());
              }
            });
  }

  private void domain(ListEntry.Domain entry) {
    if (!set.reaches(entry.name())) {
      return;
    }
    NameTable names = set.names();
    String key = KnownGoodSet.reversed(entry.name());
    int first = set.firstName();
    switch (entry.match()) {
      case EXACT -> ways(first + names.from(key), first + names.behind(key), entry.exception());
      case SUFFIX -> ways(first + names.from(key), first + names.behindAll(key), entry.exception());
      case BELOW ->
          ways(first + names.behind(key), first + names.behindAll(key), entry.exception());
    }
  }

  private void ways(int from, int behind, boolean exception) {
    if (from >= behind) {
      return;
    }
    if (exception) {
      voided.set(from, behind);
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
      int subject = set.subjectOf(found);
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

  /** What was found. */
  public KnownGoodHits hits() {
    BitSet listed = (BitSet) hit.clone();
    listed.andNot(voided);
    BitSet subjects = new BitSet();
    listed.stream().forEach(way -> subjects.set(set.subjectOf(way)));
    return entries == 0
        ? KnownGoodHits.NONE
        : new KnownGoodHits(
            subjects.cardinality(),
            subjects.stream()
                .filter(subject -> set.place(subject).equals(KnownGoodHits.ALLOW_ENTRY))
                .count(),
            entries,
            sample);
  }
}
