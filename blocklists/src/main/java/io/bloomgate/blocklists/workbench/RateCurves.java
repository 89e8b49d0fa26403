package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.filter.ClassicSizing;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterSizing;
import io.bloomgate.blocklists.filter.kinds.PlannedSize;
import java.util.ArrayList;
import java.util.List;

/**
 * The curves of {@code filter size --plot}: rate against bits an entry for each kind, and rate
 * against fill for filters that take more keys than they were made for. Computed, not measured.
 * Pure.
 */
public final class RateCurves {

  /** The right end of the first picture. */
  public static final int MOST_BITS = 32;

  /** The right end of the second one: four times the keys that the filter was made for. */
  public static final double MOST_FILL = 4;

  /** What the second picture shows when no array holds the filters that were asked for. */
  private static final double USUAL_RATE = 0.01;

  private static final long USUAL_ENTRIES = 1_000_000;

  private static final int FILL_STEPS = 40;

  /**
   * Points joined by a line, or one alone.
   *
   * @param name for the legend
   */
  public record Curve(String name, List<Point> points) {
    public Curve {
      points = List.copyOf(points);
    }
  }

  /**
   * A point.
   *
   * @param x bits an entry, or keys as a multiple of those that the filter was made for
   */
  public record Point(double x, double rate) {}

  /**
   * Curves against fill.
   *
   * @param entries for which the filters are made
   * @param rate at that number
   */
  public record Growth(long entries, double rate, List<Curve> curves) {
    public Growth {
      curves = List.copyOf(curves);
    }
  }

  private RateCurves() {}

  /** Rate against bits an entry. */
  public static List<Curve> byBits(long entries) {
    List<Curve> curves = new ArrayList<>();
    List<Point> bound = new ArrayList<>();
    List<Point> classic = new ArrayList<>();
    List<Point> counting = new ArrayList<>();
    List<Point> lines = new ArrayList<>();
    for (int bits = 1; bits <= MOST_BITS; bits++) {
      bound.add(new Point(bits, Math.scalb(1.0, -bits)));
      classic.add(new Point(bits, classic(bits)));
      counting.add(new Point(bits, classic(bits / 4.0)));
      long span = Math.max(1, entries * bits / Long.SIZE);
      lines.add(new Point(bits, FilterSizing.splitBlockRate(entries, span)));
    }
    curves.add(new Curve("lower bound", bound));
    curves.add(new Curve(FilterKind.CLASSIC.word(), classic));
    curves.add(new Curve(FilterKind.SPLIT_BLOCK.word(), lines));
    curves.add(new Curve(FilterKind.COUNTING.word(), counting));
    for (FilterKind kind : List.of(FilterKind.CUCKOO, FilterKind.FUSE8, FilterKind.FUSE16)) {
      curves.add(new Curve(kind.word(), sized(kind, entries)));
    }
    return curves;
  }

  private static double classic(double bitsPerEntry) {
    double optimum = bitsPerEntry * Math.log(2);
    int few = Math.max(1, (int) Math.floor(optimum));
    return Math.min(
        ClassicSizing.rate(1, bitsPerEntry, few), ClassicSizing.rate(1, bitsPerEntry, few + 1));
  }

  /** Points of a kind that is sized by rate; those that cannot be are left out. */
  private static List<Point> sized(FilterKind kind, long entries) {
    List<Point> points = new ArrayList<>();
    double last = 0;
    for (int power = 2; power <= 28; power++) {
      try {
        PlannedSize size = PlannedSize.byRate(kind, entries, Math.scalb(1.0, -power), 0);
        double x = size.bits() / (double) entries;
        if (x <= MOST_BITS && x > last) {
          points.add(new Point(x, size.rate()));
          last = x;
        }
      } catch (FilterBuildException e) {
        // The kind does not reach this rate: its curve ends here.
        return points;
      }
    }
    return points;
  }

  /** Rate against fill, of filters that are made for some keys at a rate. */
  public static Growth byFill(long entries, double rate) {
    List<Point> classic = new ArrayList<>();
    List<Point> lines = new ArrayList<>();
    List<Point> scalable = new ArrayList<>();
    try {
      ClassicSizing.Size whole = ClassicSizing.byRate(entries, rate);
      long span = FilterSizing.splitBlock(entries, rate).span();
      for (int i = 1; i <= FILL_STEPS; i++) {
        double fill = MOST_FILL * i / FILL_STEPS;
        long keys = Math.max(1, Math.round(fill * entries));
        classic.add(
            new Point(fill, ClassicSizing.rate(keys, (double) whole.bits(), whole.hashes())));
        lines.add(new Point(fill, FilterSizing.splitBlockRate(keys, span)));
        scalable.add(new Point(fill, PlannedSize.scalableRate(entries, rate, keys)));
      }
    } catch (FilterBuildException e) {
      // The title of the picture has its own numbers.
      return byFill(USUAL_ENTRIES, USUAL_RATE);
    }
    return new Growth(
        entries,
        rate,
        List.of(
            new Curve(FilterKind.CLASSIC.word(), classic),
            new Curve(FilterKind.SPLIT_BLOCK.word(), lines),
            new Curve(FilterKind.SCALABLE.word(), scalable)));
  }
}
