package io.bloomgate.blocklists.filter;

import java.util.ArrayList;
import java.util.List;

/**
 * A counting filter that grows: slices of counters as a {@link ScalableFilter} has slices of lines.
 * Used by one thread, or under its owner's lock, while it changes.
 *
 * <p>Which slice holds a hash is not known, only which slices claim it, and a claim may be a false
 * positive. To lower counters in a slice that claims it falsely would make it miss its own hashes.
 * So a removal happens only when one slice alone claims the hash: what was put in is claimed where
 * it is, so that slice is the one. When several do, the hash is kept, and counted as kept. A hash
 * is added where it is claimed already, which costs no rate, so that equal additions stay together;
 * otherwise to the first slice with room.
 */
public final class ScalableCountingFilter implements RemovableFilter {

  private final SlicePlan plan;
  private final List<CounterSlice> slices;
  private long entries;
  private long kept;

  /** An empty filter whose first slice is for so many hashes. */
  ScalableCountingFilter(long capacity, double askedRate) throws FilterBuildException {
    this.plan = SlicePlan.of(capacity, askedRate);
    this.slices = new ArrayList<>(List.of(CounterSlice.of(plan, 0)));
  }

  /** Takes the slices over; called by {@link ScalableCountingCodec}. */
  ScalableCountingFilter(SlicePlan plan, List<CounterSlice> slices, long entries, long kept) {
    this.plan = plan;
    this.slices = new ArrayList<>(slices);
    this.entries = entries;
    this.kept = kept;
  }

  @Override
  public int probe(long hash) {
    return claims(hash) == 0 ? 0 : 1;
  }

  /** Bit i is set when slice i claims the hash. */
  private int claims(long hash) {
    int claims = 0;
    for (int i = 0; i < slices.size(); i++) {
      claims |= slices.get(i).array().probe(hash) << i;
    }
    return claims;
  }

  /**
   * Puts a hash in.
   *
   * @return false when all of {@value SlicePlan#MAX_SLICES} slices are full, or memory holds no
   *     further one; then nothing has changed, and {@link #compacted} may make room
   */
  @Override
  public boolean add(long hash) {
    int claims = claims(hash);
    int slice = claims == 0 ? firstWithRoom() : Integer.numberOfTrailingZeros(claims);
    if (slice == slices.size() && !grow()) {
      return false;
    }
    slices.get(slice).array().add(hash);
    entries++;
    return true;
  }

  private int firstWithRoom() {
    int slice = 0;
    while (slice < slices.size() && !slices.get(slice).hasRoom()) {
      slice++;
    }
    return slice;
  }

  private boolean grow() {
    if (slices.size() == SlicePlan.MAX_SLICES) {
      return false;
    }
    try {
      return slices.add(CounterSlice.of(plan, slices.size()));
    } catch (FilterBuildException e) {
      return false;
    }
  }

  /**
   * Undoes one addition of a hash, when one slice alone claims it; {@link
   * RemovableFilter.Removal#KEPT} when several do, or when all its counters are at 15. One that was
   * never added must not be removed, as in a {@link CountingFilter}.
   */
  @Override
  public Removal remove(long hash) {
    int claims = claims(hash);
    Removal removal =
        switch (Integer.bitCount(claims)) {
          case 0 -> Removal.ABSENT;
          case 1 -> slices.get(Integer.numberOfTrailingZeros(claims)).array().remove(hash);
          default -> Removal.KEPT;
        };
    if (removal == Removal.REMOVED && entries > 0) {
      entries--;
    }
    kept += removal == Removal.KEPT ? 1 : 0;
    return removal;
  }

  /** Removals so far that kept the hash: so many additions are inside that no one asks for. */
  public long kept() {
    return kept;
  }

  /**
   * The same hashes in one slice of their size, at the same asked rate, and nothing kept.
   *
   * @param hashes all that shall be inside, as often as they shall count; a filter cannot tell them
   * @throws FilterBuildException when no array or the heap can hold the slice
   */
  public ScalableCountingFilter compacted(HashSource hashes) throws FilterBuildException {
    return AddAll.to(new ScalableCountingFilter(AddAll.count(hashes), plan.rate()), hashes);
  }

  /** Slices so far; a lookup reads the counters of each. */
  public int slices() {
    return slices.size();
  }

  @Override
  public double expectedRate() {
    double missed = 1;
    for (CounterSlice slice : slices) {
      missed *= 1 - slice.array().rate();
    }
    return 1 - missed;
  }

  @Override
  public FilterShape shape() {
    long counters = 0;
    long used = 0;
    int hashes = 0;
    for (CounterSlice slice : slices) {
      counters += slice.array().counters();
      used += slice.array().used();
      hashes += slice.array().hashes();
    }
    return new FilterShape(
        FilterKind.SCALABLE_COUNTING,
        entries,
        plan.total(slices.size()),
        counters * CounterArray.COUNTER_BITS,
        hashes,
        plan.rate(),
        expectedRate(),
        used / (double) counters);
  }

  SlicePlan plan() {
    return plan;
  }

  List<CounterSlice> parts() {
    return List.copyOf(slices);
  }
}
