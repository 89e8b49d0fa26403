package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.content.MailEvidence;
import io.bloomgate.blocklists.entry.ReservedNetworks;
import io.bloomgate.blocklists.guard.MailProviders;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.settings.OwnDomains;
import io.bloomgate.config.settings.Sign;
import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the signs of a mail in what its reader found: links, From, Reply-To and Subject. {@link
 * Signs} asks it where such a sign counts, on the session's thread. Pure, in linear time.
 */
final class MailSigns {

  /** The host of an address, as a name shows it. */
  private static final Pattern HOST_OF_ADDRESS =
      Pattern.compile("(?<=[^\\s<>()\"',;:@])@((?:[\\p{L}\\p{N}-]++\\.)++[\\p{L}\\p{N}-]++)");

  private static final Pattern NO_LETTERS = Pattern.compile("[^\\p{L}\\p{M}]++");

  /** Characters that turn what is behind them around. */
  private static final Pattern REVERSED = Pattern.compile("[\\x{202D}\\x{202E}]");

  /** Characters that nobody sees, between two letters of scripts that need none there. */
  private static final Pattern HIDDEN =
      Pattern.compile(
          "(?<=[\\p{IsLatin}\\p{IsCyrillic}\\p{IsGreek}])"
              + "[\\p{Cf}\\x{34F}\\x{115F}\\x{1160}\\x{3164}\\x{FFA0}\\x{FE00}-\\x{FE0F}]++"
              + "[\\p{IsLatin}\\p{IsCyrillic}\\p{IsGreek}]");

  /** Letters of a unit such as kOhm, in which Greek and Latin meet. */
  private static final int MAX_UNIT = 4;

  private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{N}]++");

  /** Scripts whose letters look like those of each other; one word has letters of one of them. */
  private static final Set<UnicodeScript> ALIKE =
      EnumSet.of(
          UnicodeScript.LATIN,
          UnicodeScript.CYRILLIC,
          UnicodeScript.GREEK,
          UnicodeScript.ARMENIAN,
          UnicodeScript.CHEROKEE);

  private final MailEvidence mail;
  private final List<Content.Shown> found = new ArrayList<>();

  private MailSigns(MailEvidence mail) {
    this.mail = mail;
  }

  /**
   * The signs of a mail.
   *
   * @param own our domains
   * @param brands names that others claim to be
   */
  static List<Content.Shown> of(MailEvidence mail, OwnDomains own, List<DomainName> brands) {
    MailSigns signs = new MailSigns(mail);
    signs.linkToAddress();
    signs.freeMailReplyTo();
    signs.oddLetters();
    signs.addressInName();
    signs.ownName(own, brands);
    return signs.found;
  }

  private void note(Sign sign, @Nullable ListKey subject, String seen) {
    found.add(new Content.Shown(sign, subject, seen));
  }

  /** The keys of the mail's own fields and links, which no nested mail and no quote has. */
  private Stream<ListKey> own(Check check) {
    return mail.keys().stream()
        .filter(key -> key.check() == check && key.place() == Place.OPEN)
        .map(ContentKey::key);
  }

  private List<DomainName> names(Check check) {
    return own(check).filter(DomainName.class::isInstance).map(DomainName.class::cast).toList();
  }

  private void linkToAddress() {
    own(Check.URL_HOST)
        .filter(host ->
            host instanceof IpAddress address && !ReservedNetworks.overlap(IpPrefix.host(address)))
        .findFirst()
        .ifPresent(host -> note(Sign.LINK_TO_ADDRESS, host, host.toString()));
  }

  private void freeMailReplyTo() {
    List<DomainName> from = names(Check.FROM_DOMAIN);
    if (!from.isEmpty() && from.stream().noneMatch(MailProviders::hasMailboxes)) {
      names(Check.REPLY_TO_DOMAIN).stream()
          .filter(MailProviders::hasMailboxes)
          .findFirst()
          .ifPresent(name -> note(Sign.FREE_MAIL_REPLY_TO, name, name + " for " + from.getFirst()));
    }
  }

  private void addressInName() {
    List<DomainName> from = names(Check.FROM_DOMAIN);
    if (from.isEmpty()) {
      return;
    }
    HOST_OF_ADDRESS
        .matcher(mail.from())
        .results()
        .map((MatchResult address) -> DomainName.asked(address.group(1)))
        .flatMap(Optional::stream)
        .filter(name -> from.stream().noneMatch(each -> each.covers(name) || name.covers(each)))
        .findFirst()
        .ifPresent(name -> note(Sign.ADDRESS_IN_FROM_NAME, from.getFirst(), name.toString()));
  }

  private void ownName(OwnDomains own, List<DomainName> brands) {
    List<DomainName> from = names(Check.FROM_DOMAIN);
    String words =
        brands.isEmpty() ? "" : words(Normalizer.normalize(mail.from(), Normalizer.Form.NFKC));
    Stream.concat(
            from.stream().filter(name -> own.contains(name.toString())),
            brands.stream()
                .filter(brand ->
                    words.contains(words(label(brand))) || from.stream().anyMatch(brand::covers)))
        .findFirst()
        .ifPresent(name -> note(Sign.OWN_NAME_IN_FROM, name, name.toString()));
  }

  /** The words in small letters, with a blank before and behind each. */
  private static String words(String text) {
    return " " + NO_WORD.matcher(text.toLowerCase(Locale.ROOT)).replaceAll(" ") + " ";
  }

  private static String label(DomainName brand) {
    String name = brand.toString();
    return name.substring(0, name.indexOf('.'));
  }

  // ---- letters

  private void oddLetters() {
    Optional<String> odd = odd(mail.from()).or(() -> odd(mail.subject()));
    odd.ifPresent(
        seen -> note(Sign.ODD_LETTERS, own(Check.FROM_DOMAIN).findFirst().orElse(null), seen));
  }

  /**
   * The kind of odd letters in a text. What good mail needs is not odd: joiners in Persian, Indic
   * scripts and emoji, words of two scripts with a hyphen, Latin beside Han and Kana, units.
   */
  static Optional<String> odd(String text) {
    if (text.codePoints().allMatch(c -> c < 0x80)) {
      return Optional.empty();
    }
    if (text.codePoints().filter(MailSigns::isImitation).limit(2).count() == 2) {
      return Optional.of("mathematical or enclosed letters");
    }
    if (REVERSED.matcher(text).find()) {
      return Optional.of("characters in another order");
    }
    if (HIDDEN.matcher(text).find()) {
      return Optional.of("invisible characters inside a word");
    }
    return NO_LETTERS.splitAsStream(text).anyMatch(MailSigns::isMixed)
        ? Optional.of("letters of two scripts in one word")
        : Optional.empty();
  }

  private static boolean isMixed(String word) {
    return word.codePointCount(0, word.length()) > MAX_UNIT
        && word.codePoints().mapToObj(UnicodeScript::of).filter(ALIKE::contains).distinct().count()
            > 1;
  }

  /** Mathematical letters, and letters in circles, squares and parentheses. */
  private static boolean isImitation(int letter) {
    return (letter >= 0x1d400 && letter <= 0x1d7ff)
        || (letter >= 0x249c && letter <= 0x24e9)
        || (letter >= 0x1f110 && letter <= 0x1f189);
  }
}
