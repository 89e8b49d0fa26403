package io.bloomgate.blocklists.decision;

import io.bloomgate.config.settings.RecipientProfile;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds what the settings say of one recipient in particular: the address comes before its local
 * part, then its domain, then the longest domain around it. Part of the {@link Policy}, which makes
 * the policies of all profiles once; asked for each recipient on any thread. Immutable.
 */
public final class Recipients {

  /** No recipient has a profile. */
  static final Recipients NONE = new Recipients(Map.of(), Map.of());

  private final Map<String, RecipientProfile> entries;

  /** Entries for a local part at any of our domains. */
  private final Map<String, Own> byLocalPart = new HashMap<>();

  /** Entries for an address, a domain, or a domain with a dot in front. */
  private final Map<String, Own> byDomain = new HashMap<>();

  private final boolean otherActions;

  /**
   * The policy of a recipient, and why it is that.
   *
   * @param named for people; {@code null} for an exempt recipient, whose evidence says that
   * @param policy with the lists, signs and rules of the profile; the profile bounds what these do
   * @param byContent what may decide by content, as {@link Policy#byContent}
   */
  public record Own(
      RecipientProfile profile,
      Grounds.@Nullable Profile named,
      Policy policy,
      Map<String, Object> byContent) {}

  private Recipients(Map<String, RecipientProfile> entries, Map<RecipientProfile, Policy> made) {
    this.entries = entries;
    this.otherActions = made.keySet().stream().anyMatch(each -> !each.actions().isEmpty());
    Map<RecipientProfile, Map<String, Object>> byContent = new HashMap<>();
    made.forEach((profile, policy) -> byContent.put(profile, policy.byContent(profile)));
    entries.forEach((entry, profile) -> {
      Own own =
          new Own(
              profile,
              profile.isExempt() ? null : new Grounds.Profile(profile.name(), entry),
              made.getOrDefault(profile, Policy.NOTHING),
              byContent.getOrDefault(profile, Map.of()));
      if (entry.endsWith("@")) {
        byLocalPart.put(entry.substring(0, entry.length() - 1), own);
      } else {
        byDomain.put(entry, own);
      }
    });
  }

  /**
   * Makes the policies of profiles.
   *
   * @param entries as {@code recipients} of the settings
   * @param base the policy of all others
   */
  static Recipients of(Map<String, RecipientProfile> entries, Policy base) {
    Map<RecipientProfile, Policy> made = new HashMap<>();
    entries.values().forEach(profile -> made.computeIfAbsent(profile, base::with));
    return new Recipients(new LinkedHashMap<>(entries), made);
  }

  /** The entries that it was made of. */
  Map<String, RecipientProfile> entries() {
    return entries;
  }

  /** True when a list may count more for a recipient than for others, or less. */
  public boolean haveOtherActions() {
    return otherActions;
  }

  /** The policy of the recipient; {@code null} when it has no profile. */
  public @Nullable Own of(Facts.@Nullable Recipient recipient) {
    if (recipient == null || !recipient.ownDomain()) {
      return null;
    }
    boolean byDomains = !byDomain.isEmpty();
    Own own = byDomains ? byDomain.get(recipient.localPart() + "@" + recipient.domain()) : null;
    own = own == null ? byLocalPart.get(recipient.localPart()) : own;
    return own == null && byDomains ? around(recipient.domain()) : own;
  }

  private @Nullable Own around(String domain) {
    Own own = byDomain.get(domain);
    int begin = 0;
    while (own == null && begin >= 0) {
      own = byDomain.get("." + domain.substring(begin));
      int dot = domain.indexOf('.', begin);
      begin = dot < 0 ? -1 : dot + 1;
    }
    return own;
  }
}
