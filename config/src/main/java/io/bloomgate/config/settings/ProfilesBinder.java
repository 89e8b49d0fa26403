package io.bloomgate.config.settings;

import io.bloomgate.config.settings.Values.Reader;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The sections {@code profiles} and {@code recipients}. A profile is made of what the settings
 * have: a name that is none of theirs is an error. Called once for each reading of the settings.
 */
final class ProfilesBinder {

  /** Profiles that need no section. */
  private static final List<RecipientProfile> BUILT_IN =
      List.of(
          RecipientProfile.DEFAULT,
          RecipientProfile.OFF,
          RecipientProfile.EXEMPT,
          RecipientProfile.TRAP);

  /** Begins what means all addresses at a domain, as in operator lists. */
  private static final String ALL_AT = "*@";

  private final Settings.Feeds feeds;
  private final Map<Sign, Action> signs;
  private final Map<String, Rule> rules;

  ProfilesBinder(Settings.Feeds feeds, Map<Sign, Action> signs, Map<String, Rule> rules) {
    this.feeds = feeds;
    this.signs = signs;
    this.rules = rules;
  }

  /** The profiles by name, those that are built in among them. */
  Map<String, RecipientProfile> profiles(Section root) {
    Map<String, RecipientProfile> profiles = new LinkedHashMap<>();
    BUILT_IN.forEach(profile -> profiles.put(profile.name(), profile));
    Map<String, Section> sections = root.named("profiles");
    sections.forEach((name, section) -> {
      RecipientProfile profile = profile(name, section);
      RecipientProfile builtIn = profiles.putIfAbsent(name, profile);
      boolean plain =
          profile.equals(new RecipientProfile(name, Action.REJECT, Action.REJECT, true, Map.of()));
      root.section("profiles")
          .problemIf(
              builtIn != null && !plain,
              name,
              "the profile `" + name + "` is built in, and cannot say anything else",
              "give yours another name, or leave `" + name + ": {}`");
    });
    if (sections.isEmpty()) {
      root.recordEmpty("profiles");
    }
    return Collections.unmodifiableMap(profiles);
  }

  private RecipientProfile profile(String name, Section s) {
    Action most = s.value("most", "reject", RulesBinder.VERDICTS);
    boolean greylist = s.value("greylist", "true", Values.BOOLEAN);
    boolean content = s.value("content", "true", Values.BOOLEAN);
    s.problemIf(
        most == Action.GREYLIST && !greylist,
        "greylist",
        "the profile " + name + " does no more than greylist, and does not greylist",
        "write most: tag, or leave greylist out");
    Map<String, Optional<Action>> actions =
        new LinkedHashMap<>(s.pairs("lists", this::listed, Values.orNone(RulesBinder.VERDICTS)));
    Set<String> counted =
        Set.copyOf(
            s.list(
                "rules",
                List.copyOf(rules.keySet()),
                Values.noted("name of a rule", text -> known(text, rules.keySet(), "rules"))));
    rules.keySet().stream()
        .filter(rule -> !counted.contains(rule))
        .forEach(rule -> actions.put(rule, Optional.empty()));
    return new RecipientProfile(
        name,
        most,
        // Nobody can be asked to come again with the same content.
        content ? most == Action.GREYLIST ? Action.TAG : most : Action.OBSERVE,
        greylist,
        actions);
  }

  /** The name of a list, of a sign that the settings name, or of a rule. */
  private String listed(String text) throws BadValueException {
    List<String> names =
        Stream.of(
                feeds.names().stream(),
                signs.keySet().stream().map(Sign::key),
                rules.keySet().stream())
            .flatMap(each -> each)
            .toList();
    if (!names.contains(text) && Arrays.stream(Sign.values()).anyMatch(s -> s.key().equals(text))) {
      throw BadValueException.of(
          text,
          "is a sign that the section signs does not name",
          "write signs: {" + text + ": {action: observe}}");
    }
    return known(text, names, "feeds.sources, signs or rules");
  }

  private static String known(String text, java.util.Collection<String> names, String where)
      throws BadValueException {
    if (!names.contains(text)) {
      throw BadValueException.of(
          text,
          "is none of " + where,
          Suggestion.hint(
              text,
              names,
              names.isEmpty() ? "there is none yet" : "name some of: " + String.join(", ", names)));
    }
    return text;
  }

  /**
   * The profiles of recipients, by address, local part with an at sign, domain, or domain with a
   * dot in front; {@code policy.exempt_recipients} are among them.
   */
  static Map<String, RecipientProfile> recipients(
      Section root, Map<String, RecipientProfile> profiles, Settings.Policy policy) {
    Reader<RecipientProfile> profile =
        Values.noted(
            "name of a profile",
            text -> {
              known(text, profiles.keySet(), "profiles");
              return profiles.getOrDefault(text, RecipientProfile.DEFAULT);
            });
    Map<String, RecipientProfile> recipients =
        new LinkedHashMap<>(root.pairs("recipients", ProfilesBinder::recipient, profile));
    root.section("policy")
        .warnIf(
            policy.rejectAt() == Settings.Policy.RejectAt.CONNECT && !recipients.isEmpty(),
            "reject_at",
            "with reject_at: connect a listed client never gets as far as RCPT, so no profile of"
                + " a recipient can spare it",
            "set reject_at: rcpt, or leave recipients out");
    RecipientProfile.exempt(policy.exemptRecipients()).forEach(recipients::putIfAbsent);
    return Collections.unmodifiableMap(recipients);
  }

  /** Reads who has a profile; local parts and domains in lower case, and *@DOMAIN as the domain. */
  static String recipient(String text) throws BadValueException {
    if (text.startsWith(ALL_AT)) {
      return Names.ownDomain(text.substring(ALL_AT.length()));
    }
    int at = text.lastIndexOf('@');
    if (at == 0) {
      throw BadValueException.of(
          text, "has no local part", "write " + text.substring(1) + " for a whole domain");
    }
    if (at < 0) {
      return Names.ownDomain(text);
    }
    String local = Names.localPart(text.substring(0, at));
    String domain = text.substring(at + 1);
    return local + "@" + (domain.isEmpty() ? "" : Names.domain(domain));
  }

  /** True when mail for this recipient is not refused as relaying. */
  static boolean isOurs(String entry, OwnDomains own, Settings settings) {
    String domain = entry.substring(entry.lastIndexOf('@') + 1);
    return domain.isEmpty()
        || own.contains(domain.startsWith(".") ? domain.substring(1) : domain)
        || (domain.startsWith(".")
            && settings.domains().stream().anyMatch(each -> each.endsWith(domain)));
  }

  /** Checks recipients against domains: mail for others is refused before any profile. */
  static void check(Section root, Settings settings) {
    if (!settings.domainSources().areKnown()) {
      return;
    }
    boolean byFile = !settings.domainSources().files().isEmpty();
    for (String entry : settings.recipients().keySet()) {
      if (settings.traps().addresses().contains(entry)
          || RecipientProfile.isOurs(entry, settings)) {
        continue;
      }
      Section recipients = root.section("recipients");
      String what = "a profile for " + Shown.quoted(entry) + ", which is not in domains";
      if (byFile) {
        // The name may come and go with a file: no reason not to start.
        recipients.warn(
            entry,
            what + " and their files",
            "mail for it is refused as relaying until one of them names it");
      } else {
        recipients.problem(entry, what, "add it to domains, or mail for it is refused as relaying");
      }
    }
  }
}
