package io.bloomgate.config.settings;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Keyed;
import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.Shown;
import io.bloomgate.config.notation.Suggestion;
import io.bloomgate.config.settings.Settings.Listener;
import io.bloomgate.config.settings.yaml.Section;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A mark that a client or its mail shows by itself, without any list. Each has its own action and
 * may be one of the lists of a {@link Rule}.
 */
public enum Sign implements Keyed {
  /** DNS reports that the client's address has no name. */
  NO_REVERSE_NAME(Check.CLIENT_NAME),
  /** The name of the address does not lead back to it (RFC 8601 section 2.7.3, "iprev"). */
  UNCONFIRMED_NAME(Check.CLIENT_NAME),
  /** The name of the address is one that a provider made from the address or for a pool. */
  GENERIC_NAME(Check.CLIENT_NAME),
  /** HELO names this gateway, one of our domains or our address. */
  OWN_NAME_IN_HELO(Check.HELO),
  /** HELO gives an address that is not the client's (RFC 5321 section 4.1.3). */
  HELO_LITERAL_OF_OTHER(Check.HELO),
  /** The client spoke before the banner (RFC 5321 section 4.3.1). */
  EARLY_TALKER(Check.CLIENT_IP),
  /**
   * The mail is one of many copies from many networks (section {@code content}). Newsletters are,
   * too, so that it never asks for more than to be observed, and no rule counts it alone.
   */
  BULK(Check.BODY),
  /**
   * Some of the mail was not read, because there is too much of it. Without a setting it tags where
   * a list may refuse content, so that no filler hides a listed link silently.
   */
  PARTLY_READ(Check.BODY),
  /** Some of the mail is against the rules of MIME, so that programs may read it differently. */
  MALFORMED(Check.BODY),
  /** The host of a link is a public address (RFC 3986 section 3.2.2). */
  LINK_TO_ADDRESS(Check.URL_HOST),
  /** Answers go to a mailbox that anybody can have, and From is somewhere else. */
  FREE_MAIL_REPLY_TO(Check.REPLY_TO_DOMAIN),
  /** Letters in From or Subject that only look like others, or that nobody sees. */
  ODD_LETTERS(Check.FROM),
  /** The name in From is, or has, an address of another domain than that of From. */
  ADDRESS_IN_FROM_NAME(Check.FROM),
  /**
   * A From field claims one of our domains or one of {@code content.brands}, from another network.
   */
  OWN_NAME_IN_FROM(Check.FROM_DOMAIN);

  private final Check check;

  Sign(Check check) {
    this.check = check;
  }

  /** The sign of the content that has this name, bulk aside; empty for any other name. */
  public static Optional<Sign> ofContent(String name) {
    return named(name).filter(sign -> Check.OF_CONTENT.contains(sign.check) && sign != BULK);
  }

  /** The sign that has this name; empty for any other name. */
  public static Optional<Sign> named(String name) {
    return Optional.ofNullable(SIGNS.get(name));
  }

  /** Refuses a sign where only those count that the settings name. */
  static void refuse(String text) throws BadValueException {
    if (named(text).isPresent()) {
      throw BadValueException.of(
          text,
          "is a sign that the section signs does not name",
          "write signs: {" + text + ": {action: observe}}");
    }
  }

  /** True where the mail is read because this sign counts. */
  public boolean needsContent() {
    return Check.OF_CONTENT.contains(check) && check != Check.BODY;
  }

  /** The part of a session that shows it. */
  public Check check() {
    return check;
  }

  private static final Map<String, Sign> SIGNS =
      Arrays.stream(Sign.values()).collect(Collectors.toUnmodifiableMap(Sign::key, sign -> sign));

  /** Faults in DNS, which the administrators of wanted mail servers make too. */
  private static final Set<Sign> OF_NAMES =
      Collections.unmodifiableSet(
          EnumSet.of(Sign.NO_REVERSE_NAME, Sign.UNCONFIRMED_NAME, Sign.GENERIC_NAME));

  /**
   * The signs that are named, with their actions.
   *
   * @param listeners an early talker is seen only where the banner waits
   * @param bulk {@code null} where copies are not counted
   */
  static Map<Sign, Action> bind(
      Section root, Map<String, Listener> listeners, @Nullable BulkSettings bulk) {
    Map<Sign, Action> signs = new EnumMap<>(Sign.class);
    root.named("signs")
        .forEach((name, section) -> {
          Action action = section.value("action", "observe", RulesBinder.ACTION);
          Sign sign = SIGNS.get(name);
          if (sign == null) {
            unknown(name, section);
          } else {
            signs.put(sign, action);
            check(sign, section, action);
          }
        });
    if (signs.containsKey(Sign.EARLY_TALKER)) {
      checkDelay(root, listeners);
    }
    if (signs.containsKey(Sign.BULK) && bulk == null) {
      root.section("signs")
          .section(Sign.BULK.key())
          .warn(
              "action",
              "copies of mails are not counted, so no mail is bulk",
              "set content: {bulk: {networks: 20}}");
    }
    return Collections.unmodifiableMap(signs);
  }

  private static void unknown(String name, Section section) {
    List<String> known = Arrays.stream(Sign.values()).map(Sign::key).toList();
    section.problem(
        "action",
        Shown.quoted(name) + " is not a sign",
        Suggestion.hint(name, known, "write one of: " + String.join(", ", known)));
  }

  private static void check(Sign sign, Section section, Action action) {
    section.problemIf(
        action == Action.TRUST,
        "action",
        "the sign " + sign.key() + " has the action trust",
        "trust is for lists");
    section.problemIf(
        sign.needsContent() && action == Action.GREYLIST,
        "action",
        "the sign " + sign.key() + " greylists, and a mail shows it when it is too late for that",
        "write action: tag");
    section.problemIf(
        sign == Sign.BULK && action.compareTo(Action.OBSERVE) > 0,
        "action",
        "the sign bulk is no reason to act alone: newsletters have many copies, too",
        "write action: observe, and join it with lists in a rule");
    section.warnIf(
        (OF_NAMES.contains(sign) || sign.needsContent()) && action.compareTo(Action.TEMPFAIL) >= 0,
        "action",
        "the sign " + sign.key() + " alone hits good senders too",
        "write action: observe, and join it with lists in a rule");
  }

  private static void checkDelay(Section root, Map<String, Listener> listeners) {
    if (listeners.values().stream().allMatch(listener -> listener.bannerDelay().isZero())) {
      root.section("signs")
          .section(Sign.EARLY_TALKER.key())
          .warn(
              "action",
              "no listener has a banner_delay, so no client can speak before the banner",
              "set banner_delay: 6s at the listener");
    }
  }
}
