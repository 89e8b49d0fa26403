package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.guard.EntryKeys;
import io.bloomgate.blocklists.guard.HeldEntry;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.refresh.VersionReader.Judged;
import io.bloomgate.blocklists.senders.Breaker;
import io.bloomgate.blocklists.senders.GoodHosts;
import io.bloomgate.blocklists.senders.Suspects;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Asks the breaker about a version before it goes live: which of its new entries would hit senders
 * who have been good for days. Used by {@link FeedIntake} on the feed-refresher thread.
 */
final class SenderCheck {

  /** The reason of a version that is held as a whole. */
  static final String TOO_MANY =
      "good senders: more than %d entries list some".formatted(Suspects.MAX_SUSPECTS);

  private final RefreshParts parts;
  private final FeedFiles files;

  SenderCheck(RefreshParts parts, FeedFiles files) {
    this.parts = parts;
    this.files = files;
  }

  /**
   * Hosts that the feed should not hit, and entries that other nodes hold back; none where it is
   * not asked for addresses.
   */
  GoodHosts good(Source source) {
    return isAsked(source)
        ? parts
            .senders()
            .good(source.guard().knownAfter(), parts.steady().instant())
            .and(parts.breaker().heldElsewhere(source.name(), parts.steady().instant()))
        : GoodHosts.NONE;
  }

  /** True where the breaker looks at a feed. */
  static boolean isAsked(Source source) {
    return source.guard().breakerNetworks() != null && source.checks().contains(Check.CLIENT_IP);
  }

  /**
   * Says what must be held back, as it lists too many of them, and writes it down.
   *
   * @param live the version that is live
   * @throws IOException when that cannot be written; the version must not go live then
   */
  EntryKeys check(Source source, Judged judged, Optional<FeedArchive.Stored> live)
      throws IOException {
    Integer most = source.guard().breakerNetworks();
    EntryKeys held =
        most == null
                || judged.suspects().tooMany()
                || !isAsked(source)
                || source.action() == Action.TRUST
            ? EntryKeys.NONE
            : EntryKeys.ofNetworks(
                parts
                    .breaker()
                    .judge(question(source, most, judged, live), parts.steady().instant())
                    .stream()
                    .map(ListEntry.Network::prefix)
                    .toList());
    files.saveGood(source.name(), judged.version().id(), held);
    return held;
  }

  private Breaker.Question question(
      Source source, int most, Judged judged, Optional<FeedArchive.Stored> live)
      throws IOException {
    List<ListEntry.Network> providers =
        judged.digest().heldSamples().stream()
            .filter(entry -> entry.reason().equals(ProtectedSet.PROVIDERS_REASON))
            .flatMap(entry -> network(entry).stream())
            .toList();
    Predicate<ListEntry> isNew = isNew(source, judged, live, providers);
    return new Breaker.Question(
        source.name(),
        most,
        judged.suspects(),
        isNew,
        host -> !isListedElsewhere(source, host),
        providers,
        live.isEmpty());
  }

  private static Optional<ListEntry.Network> network(HeldEntry entry) {
    return IpPrefix.parse(entry.entry())
        .toOptional()
        .map(prefix -> new ListEntry.Network(prefix, false, entry.line()));
  }

  /**
   * Live entries were judged before; entries of the live version that are held back because they
   * list good senders still count as new.
   */
  private Predicate<ListEntry> isNew(
      Source source,
      Judged judged,
      Optional<FeedArchive.Stored> live,
      List<ListEntry.Network> providers)
      throws IOException {
    if (judged.suspects().found().isEmpty() && providers.isEmpty()) {
      return entry -> false;
    }
    EntryKeys brought = judged.digest().newSince(judged.live());
    Optional<FeedVersion> before =
        live.map(FeedArchive.Stored::version).filter(version -> !version.entriesAccepted());
    EntryKeys held = before.isPresent() ? files.good(before.get(), source.name()) : EntryKeys.NONE;
    return entry -> brought.contains(entry) || held.contains(entry);
  }

  /** A host that another feed refuses or tags has not been good after all. */
  private boolean isListedElsewhere(Source source, IpAddress host) {
    return parts.live().current().ask(host) instanceof ListAnswer.Listed listed
        && listed.listings().stream()
            .anyMatch(listing ->
                !listing.feed().equals(source.name()) && speaksOfClients(listing.feed()));
  }

  private boolean speaksOfClients(String feed) {
    Source source = parts.settings().get().feeds().sources().get(feed);
    return source != null
        && source.action().compareTo(Action.OBSERVE) > 0
        && source.checks().contains(Check.CLIENT_IP);
  }
}
