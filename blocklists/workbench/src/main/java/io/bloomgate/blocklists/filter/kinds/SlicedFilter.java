package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.filter.AddableFilter;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A filter that grows by a slice when the last one has come to its share of the rate, so that the
 * asked rate holds whatever it grows to; see {@link SlicePlan}. Used by one thread, or under its
 * owner's lock, while it changes.
 *
 * <p>In a file: the words of its slices one after the other, and as measures the capacity of the
 * first slice, what the kind has besides, then a row for each slice.
 *
 * @param <S> its slices
 */
public abstract sealed class SlicedFilter<S> implements AddableFilter
    permits ScalableFilter, ScalableCountingFilter {

  private static final int MEASURE_FIRST = 0;

  final SlicePlan plan;
  final List<S> slices;
  long entries;

  SlicedFilter(SlicePlan plan, List<S> slices, long entries) {
    this.plan = plan;
    this.slices = new ArrayList<>(slices);
    this.entries = entries;
  }

  abstract FilterKind kind();

  /** 1 when a slice may hold the hash, else 0. */
  abstract int probe(S slice, long hash);

  /** The measures of a slice. */
  abstract FilterPart part(S slice, long capacity, double share);

  /** The measures between the capacity of the first slice and the rows of all. */
  abstract List<Long> ownMeasures();

  /** Appends the words of a slice; returns its row of measures. */
  abstract List<Long> write(S slice, PagedFileWriter out) throws IOException;

  @Override
  public int probe(long hash) {
    int found = 0;
    for (int i = 0; i < slices.size(); i++) {
      found |= probe(slices.get(i), hash);
    }
    return found;
  }

  /** Slices so far; a lookup reads each. */
  public int slices() {
    return slices.size();
  }

  /** The measures of all slices. */
  List<FilterPart> parts() {
    return IntStream.range(0, slices.size())
        .mapToObj(i -> part(slices.get(i), plan.capacity(i), plan.share(i)))
        .toList();
  }

  @Override
  public FilterShape shape() {
    List<FilterPart> parts = parts();
    double missed = 1;
    for (FilterPart part : parts) {
      missed *= 1 - part.rate();
    }
    long places = parts.stream().mapToLong(FilterPart::places).sum();
    return new FilterShape(
        kind(),
        entries,
        plan.total(slices.size()),
        parts.stream().mapToLong(FilterPart::bits).sum(),
        parts.stream().mapToInt(FilterPart::hashes).sum(),
        plan.rate(),
        1 - missed,
        parts.stream().mapToLong(FilterPart::used).sum() / (double) places);
  }

  @Override
  public List<Long> write(PagedFileWriter out) throws IOException {
    List<Long> measures = new ArrayList<>(List.of(plan.first()));
    measures.addAll(ownMeasures());
    for (S slice : slices) {
      measures.addAll(write(slice, out));
    }
    return measures;
  }

  /** The plan and the rows of a file, proven to be possible; bodies are not. */
  static List<List<Long>> rows(PagedFile file, int before, int columns) throws IOException {
    List<Long> measures = file.header().measures();
    int count = (measures.size() - before) / columns;
    FilterFile.check(
        file,
        count >= 1 && count <= SlicePlan.MAX_SLICES && measures.size() == before + count * columns);
    List<List<Long>> rows = new ArrayList<>();
    for (int at = before; at < measures.size(); at += columns) {
      rows.add(measures.subList(at, at + columns));
    }
    return rows;
  }

  /** The plan that the slices of a file follow. */
  static SlicePlan plan(PagedFile file) throws IOException {
    FileHeader header = file.header();
    long first = header.measure(MEASURE_FIRST);
    FilterFile.check(
        file,
        first >= 1
            && first <= SlicePlan.MAX_FIRST
            && header.askedRate() >= SlicePlan.LOWEST_RATE
            && header.askedRate() < 1);
    return new SlicePlan(first, header.askedRate());
  }
}
