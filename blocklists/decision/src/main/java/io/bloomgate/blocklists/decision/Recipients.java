package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.operator.RecipientEntry;
import io.bloomgate.config.settings.RecipientProfile;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds what settings and commands say of one recipient in particular: the address comes before its
 * local part, then its domain, then the longest domain around it; of the same subject the command
 * counts. Part of the {@link Policy}, which makes the policies of all profiles once; asked for each
 * recipient on any thread. Immutable.
 */
public final class Recipients {

  /** No recipient has a profile. */
  static final Recipients NONE = new Recipients(Map.of(), ByCommand.NONE, Map.of());

  private final Map<String, RecipientProfile> entries;
  private final ByCommand byCommand;

  /** Entries of commands by subject, whatever they are for. */
  private final Map<String, Own> ofCommands = new HashMap<>();

  /** Entries for a local part at any of our domains. */
  private final Map<String, Own> byLocalPart = new HashMap<>();

  /** Entries for an address, a domain, or a domain with a dot in front. */
  private final Map<String, Own> byDomain = new HashMap<>();

  private final boolean otherActions;

  /**
   * The policy of a recipient, and why it is that.
   *
   * @param named for people; {@code null} for a recipient that the settings exempt, whose evidence
   *     says that
   * @param policy with the lists, signs and rules of the profile; the profile bounds what these do
   */
  public record Own(RecipientProfile profile, Grounds.@Nullable Profile named, Policy policy) {}

  /**
   * The entries of commands.
   *
   * @param entries by subject
   * @param profiles of the settings by name; one that is not there counts as the default
   */
  record ByCommand(Map<String, RecipientEntry> entries, Map<String, RecipientProfile> profiles) {

    static final ByCommand NONE = new ByCommand(Map.of(), Map.of());

    RecipientProfile profile(RecipientEntry entry) {
      return profiles.getOrDefault(entry.profile(), RecipientProfile.DEFAULT);
    }

    /** The same without the entry of a subject. */
    ByCommand without(String subject) {
      Map<String, RecipientEntry> others = new HashMap<>(entries);
      others.remove(subject);
      return new ByCommand(others, profiles);
    }
  }

  private Recipients(
      Map<String, RecipientProfile> entries,
      ByCommand byCommand,
      Map<RecipientProfile, Policy> made) {
    this.entries = entries;
    this.byCommand = byCommand;
    this.otherActions = made.keySet().stream().anyMatch(each -> !each.actions().isEmpty());
    BiFunction<RecipientProfile, Grounds.@Nullable Profile, Own> own =
        (profile, named) -> new Own(profile, named, made.getOrDefault(profile, Policy.NOTHING));
    entries.forEach((entry, profile) -> {
      Own found =
          own.apply(
              profile, profile.isExempt() ? null : new Grounds.Profile(profile.name(), entry));
      if (entry.endsWith("@")) {
        byLocalPart.put(entry.substring(0, entry.length() - 1), found);
      } else {
        byDomain.put(entry, found);
      }
    });
    byCommand
        .entries()
        .forEach((subject, entry) -> {
          RecipientProfile profile = byCommand.profile(entry);
          ofCommands.put(
              subject, own.apply(profile, new Grounds.Profile(profile.name(), subject, entry)));
        });
  }

  /**
   * Makes the policies of profiles.
   *
   * @param entries as {@code recipients} of the settings
   * @param base the policy of all others
   */
  static Recipients of(Map<String, RecipientProfile> entries, ByCommand byCommand, Policy base) {
    Map<RecipientProfile, Policy> made = new HashMap<>();
    Stream.concat(
            entries.values().stream(),
            byCommand.entries().values().stream().map(byCommand::profile))
        .forEach(profile -> made.computeIfAbsent(profile, base::with));
    return new Recipients(new LinkedHashMap<>(entries), byCommand, made);
  }

  /** The lines of the settings that it was made of. */
  public Map<String, RecipientProfile> entries() {
    return entries;
  }

  /** The entries of commands that it was made of. */
  ByCommand byCommand() {
    return byCommand;
  }

  /** A sentence while entries of commands name profiles that the settings have not. */
  public Optional<String> alarm(Instant now) {
    TreeSet<String> missing =
        byCommand.entries().values().stream()
            .filter(entry -> !entry.expiredAt(now))
            .map(RecipientEntry::profile)
            .filter(name -> !byCommand.profiles().containsKey(name))
            .collect(Collectors.toCollection(TreeSet::new));
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "entries of `bloomgate recipient` name profiles that are not in the settings ("
                + String.join(", ", missing)
                + "): the default counts for these recipients; add the profiles, or set others");
  }

  /** True when a list may count more for a recipient than for others, or less. */
  public boolean haveOtherActions() {
    return otherActions;
  }

  /**
   * The policy of the recipient; {@code null} when it has no profile.
   *
   * @param now an entry of a command may have ended
   */
  public @Nullable Own of(Facts.@Nullable Recipient recipient, Instant now) {
    if (recipient == null || !recipient.ownDomain()) {
      return null;
    }
    String local = recipient.localPart();
    boolean byDomains = !byDomain.isEmpty() || !ofCommands.isEmpty();
    Own found = byDomains ? ofDomain(local + "@" + recipient.domain(), now) : null;
    if (found == null) {
      Own ofSettings = byLocalPart.get(local);
      found = ofCommands.isEmpty() ? ofSettings : ofCommand(local + "@", ofSettings, now);
    }
    return found == null && byDomains ? around(recipient.domain(), now) : found;
  }

  private @Nullable Own around(String domain, Instant now) {
    Own found = ofDomain(domain, now);
    int begin = 0;
    while (found == null && begin >= 0) {
      found = ofDomain("." + domain.substring(begin), now);
      int dot = domain.indexOf('.', begin);
      begin = dot < 0 ? -1 : dot + 1;
    }
    return found;
  }

  private @Nullable Own ofDomain(String entry, Instant now) {
    return ofCommand(entry, byDomain.get(entry), now);
  }

  private @Nullable Own ofCommand(String entry, @Nullable Own ofSettings, Instant now) {
    Own found = ofCommands.get(entry);
    Grounds.Profile named = found == null ? null : found.named();
    return named == null || named.byCommand() == null || named.byCommand().expiredAt(now)
        ? ofSettings
        : found;
  }
}
