package io.bloomgate.config.settings;

import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.Shown;
import io.bloomgate.config.notation.Values;
import io.bloomgate.config.settings.Settings.Policy;
import io.bloomgate.config.settings.yaml.Section;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code traps}: addresses that nobody uses, whose mail shows what spam carries. Each
 * is a recipient with the profile {@link RecipientProfile#TRAP}. Immutable; read by sessions.
 *
 * @param addresses as the keys of {@link Settings#recipients} have them: addresses, and domains for
 *     all addresses at them
 * @param drop their mail ends here, and no mail server is asked; false: it goes to the mail server,
 *     where that takes it
 */
public record TrapSettings(List<String> addresses, boolean drop) {

  /** Local parts to which people write who have trouble (RFC 5321 section 4.5.1, RFC 2142). */
  private static final Set<String> NEVER = Set.of("postmaster", "abuse", "mailer-daemon");

  static TrapSettings bind(Section s) {
    return new TrapSettings(
        s.list("addresses", List.of(), Values.noted("address, or *@DOMAIN", TrapSettings::address)),
        s.value("drop", "false", Values.BOOLEAN));
  }

  private static String address(String text) throws BadValueException {
    if (text.startsWith("@") || text.endsWith("@") || text.indexOf('@') < 0) {
      throw BadValueException.of(
          text, "is not an address", "write old@example.com, or *@unused.example for all there");
    }
    return RecipientProfile.recipient(text);
  }

  /** The recipients with the traps among them; one that has another profile stays, and is named. */
  Map<String, RecipientProfile> among(Map<String, RecipientProfile> recipients, Section root) {
    Map<String, RecipientProfile> all = new LinkedHashMap<>(recipients);
    for (String address : addresses) {
      RecipientProfile other = all.putIfAbsent(address, RecipientProfile.TRAP);
      if (other != null && !other.isTrap()) {
        root.section("traps")
            .problem(
                "addresses",
                Shown.quoted(address) + " is a trap and has the profile " + other.name() + " too",
                "leave it out of recipients, or out of traps");
      }
    }
    return Collections.unmodifiableMap(all);
  }

  /** Checks what may be no trap: mail that somebody waits for would be missed. */
  static void check(Section root, Settings settings) {
    for (Map.Entry<String, RecipientProfile> one : settings.recipients().entrySet()) {
      String entry = one.getKey();
      String why = one.getValue().isTrap() ? objection(entry, settings) : null;
      root.section("traps")
          .problemIf(
              why != null,
              "addresses",
              Shown.quoted(entry) + " cannot be a trap: " + why,
              "leave it out");
    }
  }

  private static @Nullable String objection(String entry, Settings settings) {
    int at = entry.lastIndexOf('@');
    String local = at < 0 ? "" : entry.substring(0, at);
    Policy policy = settings.policy();
    if (NEVER.contains(local) || policy.exemptRecipients().contains(local)) {
      return "people who have trouble write to it";
    }
    if (settings.domainSources().areKnown() && !RecipientProfile.isOurs(entry, settings)) {
      return "its domain is not in domains";
    }
    if (at < 0 && settings.domains().stream().allMatch(own -> isIn(own, entry))) {
      return "it is all of domains";
    }
    if (covers(entry, settings.reports().address())) {
      return "reports.address is there";
    }
    if (covers(entry, settings.report().to())) {
      return "report.to is there";
    }
    return covers(entry, settings.alarms().to()) ? "alarms.to is there" : null;
  }

  private static boolean isIn(String own, String domain) {
    return own.equals(domain) || (domain.startsWith(".") && ("." + own).endsWith(domain));
  }

  /** True when mail to that address would be mail to the trap. */
  private static boolean covers(String entry, @Nullable String address) {
    if (address == null) {
      return false;
    }
    String key = address.toLowerCase(Locale.ROOT);
    return entry.indexOf('@') < 0
        ? isIn(ReportSettings.domain(address), entry)
        : entry.equals(key) || (entry.endsWith("@") && key.startsWith(entry));
  }
}
