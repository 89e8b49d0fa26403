package io.bloomgate.config.settings;

import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.Names;
import io.bloomgate.config.notation.Suggestion;
import io.bloomgate.config.notation.Values;
import io.bloomgate.config.notation.Values.Reader;
import io.bloomgate.config.settings.yaml.Section;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The verdicts that some recipients get: a section of {@code profiles}, or one of those that are
 * built in. Made with the settings; read by decisions on any thread. Immutable.
 *
 * @param most the strongest action of what is known before the content
 * @param mostOfContent the strongest action of what a mail carries; {@code OBSERVE}: it is not read
 * @param greylist false: what would greylist does nothing
 * @param actions other actions of lists, signs and rules, by name; empty: it does not count
 */
public record RecipientProfile(
    String name,
    Action most,
    Action mostOfContent,
    boolean greylist,
    Map<String, Optional<Action>> actions) {

  /** No recipient has less than the settings say, and none has more. */
  public static final RecipientProfile DEFAULT =
      new RecipientProfile("default", Action.REJECT, Action.REJECT, true, Map.of());

  /** Nothing is refused or tagged. */
  public static final RecipientProfile OFF =
      new RecipientProfile("off", Action.OBSERVE, Action.OBSERVE, true, Map.of());

  /**
   * The profile of {@code policy.exempt_recipients}: content may tag, and a block of the client by
   * the operator refuses.
   */
  public static final RecipientProfile EXEMPT =
      new RecipientProfile("exempt", Action.OBSERVE, Action.TAG, true, Map.of());

  /** The profile of an address that nobody uses: nothing is refused, and what comes is noted. */
  public static final RecipientProfile TRAP =
      new RecipientProfile("trap", Action.OBSERVE, Action.OBSERVE, true, Map.of());

  /** True for the profile of recipients to whom people write who are listed by mistake. */
  public boolean isExempt() {
    return equals(EXEMPT);
  }

  /** True for the profile of traps. */
  public boolean isTrap() {
    return equals(TRAP);
  }

  /** True when nothing of the envelope refuses, so that rates do not count its mail. */
  public boolean isSpared() {
    return most == Action.OBSERVE;
  }

  /** The action of a list, sign or rule; empty when it does not count. */
  public Optional<Action> action(String name, Action usual) {
    return actions.getOrDefault(name, Optional.of(usual));
  }

  /** Reads an entry of {@code recipients}: address, {@code local@}, domain or {@code .domain}. */
  public static Parsed<String> entry(String text) {
    try {
      return Parsed.ok(recipient(text));
    } catch (BadValueException e) {
      return Parsed.bad(e.problem() + "; " + e.hint());
    }
  }

  /** The entries of {@code recipients} that exempt these local parts. */
  public static Map<String, RecipientProfile> exempt(Collection<String> localParts) {
    Map<String, RecipientProfile> entries = new LinkedHashMap<>();
    localParts.forEach(local -> entries.put(local + "@", EXEMPT));
    return entries;
  }

  /** Begins what means all addresses at a domain, as in operator lists. */
  private static final String ALL_AT = "*@";

  /**
   * The profiles by name, those that are built in among them.
   *
   * @param feeds the names of lists that profiles may name
   * @param rules the names of rules
   */
  static Map<String, RecipientProfile> bind(
      Section root, Set<String> feeds, Set<Sign> signs, Set<String> rules) {
    List<String> lists = Stream.concat(feeds.stream(), signs.stream().map(Sign::key)).toList();
    Map<String, RecipientProfile> profiles = new LinkedHashMap<>();
    List.of(DEFAULT, OFF, EXEMPT, TRAP).forEach(profile -> profiles.put(profile.name(), profile));
    root.named("profiles")
        .forEach((name, section) -> {
          RecipientProfile profile = profile(name, section, lists, rules);
          RecipientProfile builtIn = profiles.putIfAbsent(name, profile);
          boolean plain =
              profile.equals(
                  new RecipientProfile(name, Action.REJECT, Action.REJECT, true, Map.of()));
          root.section("profiles")
              .problemIf(
                  builtIn != null && !plain,
                  name,
                  "the profile `" + name + "` is built in, and cannot say anything else",
                  "give yours another name, or leave `" + name + ": {}`");
        });
    return Collections.unmodifiableMap(profiles);
  }

  private static RecipientProfile profile(
      String name, Section s, List<String> lists, Set<String> rules) {
    Action most = s.value("most", "reject", RulesBinder.VERDICTS);
    boolean greylist = s.value("greylist", "true", Values.BOOLEAN);
    boolean content = s.value("content", "true", Values.BOOLEAN);
    s.problemIf(
        most == Action.GREYLIST && !greylist,
        "greylist",
        "the profile " + name + " does no more than greylist, and does not greylist",
        "write most: tag, or leave greylist out");
    Map<String, Optional<Action>> actions =
        new LinkedHashMap<>(
            s.pairs(
                "lists", text -> listed(text, lists, rules), Values.orNone(RulesBinder.VERDICTS)));
    Set<String> counted =
        Set.copyOf(
            s.list(
                "rules",
                List.copyOf(rules),
                Values.noted("name of a rule", text -> known(text, rules, "rules"))));
    rules.stream()
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
  private static String listed(String text, List<String> lists, Set<String> rules)
      throws BadValueException {
    List<String> names = Stream.concat(lists.stream(), rules.stream()).toList();
    if (!names.contains(text)) {
      Sign.refuse(text);
    }
    return known(text, names, "feeds.sources, signs or rules");
  }

  private static String known(String text, Collection<String> names, String where)
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
              return profiles.getOrDefault(text, DEFAULT);
            });
    Map<String, RecipientProfile> recipients =
        new LinkedHashMap<>(root.pairs("recipients", RecipientProfile::recipient, profile));
    root.section("policy")
        .warnIf(
            policy.rejectAt() == Settings.Policy.RejectAt.CONNECT && !recipients.isEmpty(),
            "reject_at",
            "with reject_at: connect a listed client never gets as far as RCPT, so no profile of"
                + " a recipient can spare it",
            "set reject_at: rcpt, or leave recipients out");
    exempt(policy.exemptRecipients()).forEach(recipients::putIfAbsent);
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
  public static boolean isOurs(String entry, Settings settings) {
    OwnDomains own = OwnDomains.of(settings.domains());
    String domain = entry.substring(entry.lastIndexOf('@') + 1);
    return domain.isEmpty()
        || own.contains(domain.startsWith(".") ? domain.substring(1) : domain)
        || (domain.startsWith(".")
            && settings.domains().stream().anyMatch(each -> each.endsWith(domain)));
  }

  /** Checks recipients against domains: mail for others is refused before any profile. */
  static void check(Section root, Settings settings) {
    Section recipients = root.section("recipients");
    settings.recipients().keySet().stream()
        .filter(entry -> !settings.traps().addresses().contains(entry) && !isOurs(entry, settings))
        .forEach(entry -> settings.domainSources().foreign(recipients, entry, "profile"));
  }
}
