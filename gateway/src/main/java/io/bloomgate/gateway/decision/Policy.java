package io.bloomgate.gateway.decision;

import io.bloomgate.blocklists.key.DomainName;
import io.bloomgate.blocklists.key.IpPrefix;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Check;
import io.bloomgate.config.settings.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the settings say about deciding, ready to use. Immutable; made anew at each reload.
 *
 * @param feeds rules of the feeds that count, by name; a listing of any other feed (removed,
 *     disabled) is ignored
 * @param exemptRecipients local parts, lower-case
 * @param protectedSets what feeds may never refuse
 */
public record Policy(
    Map<String, FeedRule> feeds,
    Set<String> exemptRecipients,
    List<IpPrefix> exemptNetworks,
    Settings.Policy.OnError onError,
    List<ProtectedSet> protectedSets) {

  public Policy {
    feeds = Map.copyOf(feeds);
    exemptRecipients = Set.copyOf(exemptRecipients);
    exemptNetworks = List.copyOf(exemptNetworks);
    protectedSets = List.copyOf(protectedSets);
  }

  /**
   * How listings of one feed count.
   *
   * @param order position in the settings file, for the join rule
   * @param staleAfter {@code null} together with {@code expireAfter} for feeds that do not age
   */
  public record FeedRule(
      int order,
      Set<Check> checks,
      Action action,
      @Nullable Duration staleAfter,
      @Nullable Duration expireAfter) {}

  /**
   * One set of {@code allow.never_block}.
   *
   * @param word its word in the settings
   * @param networks a listing equal to, around or inside one of these is void
   * @param names a listing of one of these very names is void
   * @param publicSuffixes a listing of any public suffix is void
   * @param beatsOperatorBlock true for downstream and loopback
   */
  public record ProtectedSet(
      String word,
      List<IpPrefix> networks,
      Set<DomainName> names,
      boolean publicSuffixes,
      boolean beatsOperatorBlock) {}
}
