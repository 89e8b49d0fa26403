package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.fetch.Validators;
import io.bloomgate.blocklists.format.ParseTotals;
import io.bloomgate.config.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Judges a new version of a feed as a whole, before anything of it goes live (promise P5). Pure;
 * called by the feed-refresher and by {@code feeds test}.
 */
public final class FeedGuard {

  /** The number of bad lines that are ignored, even when they are a large share of a small feed. */
  public static final int TOLERATED_BAD_LINES = 10;

  /**
   * The number of addresses that do not count as growth: a list of few hosts may add a first /24.
   */
  static final double TOLERATED_ADDRESSES = 256;

  /** The same for IPv6: a first /48. */
  static final double TOLERATED_IPV6_NETWORKS = 65_536;

  /** A rolling list changes by at most one part in this number of {@code max_turnover} a step. */
  static final int EVEN_STEP = 4;

  /** The verdict on a version, mildest first. */
  public enum Verdict {
    /** All of it goes live. */
    ACCEPT,
    /** The version goes live without the entries that are held back. */
    ACCEPT_REST,
    /**
     * The version may be right, but that must not be tried out on live mail: it waits for the
     * operator.
     */
    HOLD,
    /** The version is no list. */
    REJECT;

    /** The word in JSON and for people. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** True when something of the version goes live. */
    public boolean goesLive() {
      return this == ACCEPT || this == ACCEPT_REST;
    }
  }

  /**
   * The judgement.
   *
   * @param reasons short sentences with the figures, empty for {@code ACCEPT}
   */
  public record Judgement(Verdict verdict, List<String> reasons, long heldEntries) {
    public Judgement {
      reasons = List.copyOf(reasons);
    }

    /** The same, held for these reasons too. */
    public Judgement heldFor(List<String> more) {
      List<String> all = new ArrayList<>(more);
      all.addAll(reasons);
      return new Judgement(Verdict.HOLD, all, heldEntries);
    }
  }

  private FeedGuard() {}

  /** Judges a version as the first one of a feed, as {@link #judge} does. */
  public static Judgement judgeFirst(
      Settings.Feeds.Guard guard, DigestedVersion version, boolean html) {
    return judge(guard, version, Optional.empty(), html, List.of());
  }

  /**
   * Judges a version.
   *
   * @param live the version that is live now, empty at the first load: then only the rules that
   *     need no comparison count
   * @param html the text begins like a web page
   * @param more reasons to hold it that are not its entries: what {@link Validators#olderThan}
   *     says, or another format
   */
  public static Judgement judge(
      Settings.Feeds.Guard guard,
      DigestedVersion version,
      Optional<FeedDigest> live,
      boolean html,
      List<String> more) {
    ParseTotals totals = version.totals();
    FeedDigest fresh = version.digest();
    List<String> rejected = rejections(guard, totals, fresh, html);
    if (!rejected.isEmpty()) {
      return new Judgement(Verdict.REJECT, rejected, fresh.heldEntries());
    }
    List<String> reasons = new ArrayList<>();
    double coverage = fresh.coverage();
    add(
        reasons,
        coverage > guard.maxCoverage(),
        "coverage: lists %s of IPv4, max_coverage is %s"
            .formatted(percent(coverage), percent(guard.maxCoverage())));
    add(reasons, fresh.live() == 0, "empty: every entry is held back or taken out by an exception");
    live.ifPresent(now -> {
      reasons.addAll(sizes(guard, fresh, now));
      reasons.addAll(turnedOver(guard, fresh, now));
    });
    reasons.addAll(more);
    Verdict verdict =
        !reasons.isEmpty()
            ? Verdict.HOLD
            : fresh.heldEntries() > 0 ? Verdict.ACCEPT_REST : Verdict.ACCEPT;
    reasons.addAll(entryReasons(fresh));
    return new Judgement(verdict, reasons, fresh.heldEntries());
  }

  /**
   * The reasons why single entries of a version are held back, with how many; none where it lists
   * no such.
   */
  public static List<String> entryReasons(FeedDigest version) {
    return version.held().entrySet().stream()
        .map(why -> heldBack(why.getKey(), why.getValue()))
        .toList();
  }

  /** True for what is said of entries that are not held back. */
  public static boolean isNote(String why) {
    return why.equals(EntryGuard.SHARED_HOST) || why.equals(EntryGuard.AROUND);
  }

  /**
   * One of {@link #entryReasons} for somebody who asks what is to be done: nothing about addresses
   * of large providers, which are ignored anyway.
   */
  public static String advice(String reason) {
    String ofProviders = " held back: " + ProtectedSet.PROVIDERS_REASON;
    return reason.endsWith(ofProviders)
        ? reason.replace(
            ofProviders,
            reason.startsWith("1 ")
                ? " address of large providers is ignored; nothing to do"
                : " addresses of large providers are ignored; nothing to do")
        : reason;
  }

  /** Hosts that count by their URLs are not among those that are held back. */
  private static String heldBack(String why, long count) {
    if (why.equals(EntryGuard.AROUND)) {
      return count + " " + why;
    }
    return why.equals(EntryGuard.SHARED_HOST)
        ? count + (count == 1 ? " time a " : " times a ") + why
        : count + " held back: " + why;
  }

  /**
   * Compares with the version that was live a day ago, because several small steps can each pass
   * and together be a large one. A list that holds the sightings of a day changes altogether within
   * one by nature: its turnover of the day counts only at a step of more than a {@link
   * #EVEN_STEP}th of {@code max_turnover}.
   *
   * @param live the version that is live now
   * @return short sentences with the figures, empty when nothing is wrong
   */
  public static List<String> overADay(
      Settings.Feeds.Guard guard, FeedDigest fresh, FeedDigest live, FeedDigest dayBefore) {
    List<String> reasons = new ArrayList<>(sizes(guard, fresh, dayBefore));
    Double maxTurnover = guard.maxTurnover();
    if (maxTurnover != null && turnover(fresh, live) > maxTurnover / EVEN_STEP) {
      reasons.addAll(turnedOver(guard, fresh, dayBefore));
    }
    return reasons.stream()
        .map(reason -> "within a day: " + reason.replace("are live", "were live"))
        .toList();
  }

  private static List<String> rejections(
      Settings.Feeds.Guard guard, ParseTotals totals, FeedDigest fresh, boolean html) {
    List<String> reasons = new ArrayList<>();
    totals.damage().ifPresent(reasons::add);
    add(reasons, html, "a web page, not a list");
    long bad = totals.invalid();
    long good = totals.entries();
    add(
        reasons,
        bad > good,
        "prose, not a list: %d bad %s, %d good".formatted(bad, bad == 1 ? "line" : "lines", good));
    add(
        reasons,
        bad <= good && fresh.entries() == 0 && fresh.exceptions() == 0,
        "empty: no entry at all");
    double share = bad / ((double) bad + good);
    add(
        reasons,
        bad > TOLERATED_BAD_LINES && share > guard.maxInvalid(),
        "invalid: %d bad lines are %s, max_invalid is %s"
            .formatted(bad, percent(share), percent(guard.maxInvalid())));
    return reasons;
  }

  private static void add(List<String> reasons, boolean holds, String text) {
    if (holds) {
      reasons.add(text);
    }
  }

  /** A few wide networks may list far more than many new hosts; the first ones of a kind too. */
  private static List<String> sizes(Settings.Feeds.Guard guard, FeedDigest fresh, FeedDigest live) {
    List<String> reasons = new ArrayList<>();
    double before = live.live();
    double now = fresh.live();
    add(
        reasons,
        now < (1 - guard.maxShrink()) * before,
        "shrink: %.0f entries, %.0f are live, max_shrink is %s"
            .formatted(now, before, percent(guard.maxShrink())));
    if (before > 0) {
      grown(reasons, guard, "%.0f entries", now, before, 0);
      grown(
          reasons,
          guard,
          "covers %.0f IPv4 addresses",
          fresh.ipv4Addresses(),
          live.ipv4Addresses(),
          TOLERATED_ADDRESSES);
      grown(
          reasons,
          guard,
          "covers %.0f IPv6 networks of /64",
          fresh.ipv6Networks(),
          live.ipv6Networks(),
          TOLERATED_IPV6_NETWORKS);
    }
    return reasons;
  }

  private static void grown(
      List<String> reasons,
      Settings.Feeds.Guard guard,
      String what,
      double now,
      double before,
      double tolerated) {
    add(
        reasons,
        now - before > tolerated && now > (1 + guard.maxGrowth()) * before,
        ("growth: " + what + ", %.0f are live, max_growth is %s")
            .formatted(now, before, percent(guard.maxGrowth())));
  }

  private static List<String> turnedOver(
      Settings.Feeds.Guard guard, FeedDigest fresh, FeedDigest live) {
    List<String> reasons = new ArrayList<>();
    Double most = guard.maxTurnover();
    double turnover = turnover(fresh, live);
    add(
        reasons,
        most != null && turnover > most,
        "turnover: %s of the entries changed, max_turnover is %s"
            .formatted(percent(turnover), percent(most == null ? 0 : most)));
    return reasons;
  }

  private static double turnover(FeedDigest fresh, FeedDigest live) {
    double all = (double) live.live() + fresh.live() + live.exceptions() + fresh.exceptions();
    return all == 0 ? 0 : fresh.changes(live) / all;
  }

  private static String percent(double ratio) {
    String text = String.format(Locale.ROOT, "%.1f", ratio * 100);
    return (text.endsWith(".0") ? text.substring(0, text.length() - 2) : text) + "%";
  }
}
