package io.bloomgate.config.name;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UProperty;
import com.ibm.icu.text.IDNA;
import com.ibm.icu.text.Normalizer2;
import com.ibm.icu.util.ICUInputTooLongException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Names with U-labels or A-labels by UTS 46, non-transitional, with the checks for bad Punycode,
 * mixed direction and joiners. The only door to ICU. Called by {@link DomainName}, {@link
 * BrokenName} and {@link WebUrlText}, on any thread; pure.
 *
 * <p>The JDK's own {@code java.net.IDN} is IDNA 2003: it makes two names of one where sharp s is
 * concerned and lets broken Punycode pass.
 */
final class InternationalName {

  private static final IDNA UTS46 =
      IDNA.getUTS46Instance(
          IDNA.NONTRANSITIONAL_TO_ASCII
              | IDNA.NONTRANSITIONAL_TO_UNICODE
              | IDNA.CHECK_BIDI
              | IDNA.CHECK_CONTEXTJ);

  private static final Normalizer2 NFKC_CASEFOLD = Normalizer2.getNFKCCasefoldInstance();

  /** Names in use have hyphens anywhere; lengths are checked by {@link DomainName}. */
  private static final Set<IDNA.Error> HARMLESS =
      EnumSet.of(
          IDNA.Error.LEADING_HYPHEN,
          IDNA.Error.TRAILING_HYPHEN,
          IDNA.Error.HYPHEN_3_4,
          IDNA.Error.EMPTY_LABEL,
          IDNA.Error.LABEL_TOO_LONG,
          IDNA.Error.DOMAIN_NAME_TOO_LONG);

  private static final String TOO_LONG = "domain name too long";
  private static final String BAD_CHARACTER = "character that no domain name has";

  /**
   * A name in Unicode has fewer characters than in A-labels; beyond this ICU is not asked, whose
   * time grows with the square of the length of a label.
   */
  private static final int MAX_CHARACTERS = 256;

  /** Labels of the host of a URL that ICU reads together; each of them costs its time. */
  private static final int MAX_LABELS = 10;

  private InternationalName() {}

  /**
   * A name as UTS 46 maps it to ASCII, whatever the number and the lengths of its labels: the host
   * of a URL may be an IP address in full-width digits.
   *
   * @return empty when the mapping finds an error, and for more than {@link #MAX_LABELS}
   */
  static Optional<String> toAscii(String text) {
    return text.chars().filter(c -> c == '.').count() >= MAX_LABELS
        ? Optional.empty()
        : mapped(text).toOptional();
  }

  static Parsed<DomainName> parse(String text) {
    return mapped(text)
        .then(ascii -> {
          int end = ascii.endsWith(".") ? ascii.length() - 1 : ascii.length();
          return DomainName.checked(ascii.substring(0, end).getBytes(US_ASCII));
        });
  }

  private static Parsed<String> mapped(String text) {
    if (text.length() > MAX_CHARACTERS) {
      return Parsed.bad(TOO_LONG);
    }
    if (!DomainName.isAllowedInAscii(text)) {
      // No mapping makes a name of it, and ICU takes its time over what is no text at all.
      return Parsed.bad(BAD_CHARACTER);
    }
    IDNA.Info info = new IDNA.Info();
    StringBuilder ascii = new StringBuilder();
    try {
      UTS46.nameToASCII(text, ascii, info);
    } catch (ICUInputTooLongException e) {
      // ICU maps one character to up to eighteen, and refuses labels that are too long then.
      return Parsed.bad(TOO_LONG);
    }
    for (IDNA.Error error : info.getErrors()) {
      if (!HARMLESS.contains(error)) {
        return Parsed.bad(reason(error));
      }
    }
    return DomainName.isAllowed(ascii) ? Parsed.ok(ascii.toString()) : Parsed.bad(BAD_CHARACTER);
  }

  /**
   * A text without compatibility forms (one dot leader becomes a dot) and without characters that
   * nobody sees, in lower case: Unicode's NFKC_Casefold. ASCII stays as it is.
   */
  static String plainer(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return NFKC_CASEFOLD.normalize(text);
      }
    }
    return text;
  }

  /**
   * A text that is longer than ICU is asked about, without the characters that nobody sees: any
   * number of them may be in a host, and browsers leave them out. A shorter text stays as it is.
   */
  static String withoutUnseen(String text) {
    if (text.length() <= MAX_CHARACTERS) {
      return text;
    }
    StringBuilder seen = new StringBuilder();
    text.codePoints().filter(c -> c < 0x80 || !isUnseen(c)).forEach(seen::appendCodePoint);
    return seen.toString();
  }

  /** True for a character that nobody sees, and that the mapping of a name removes. */
  static boolean isUnseen(int c) {
    return UCharacter.hasBinaryProperty(c, UProperty.DEFAULT_IGNORABLE_CODE_POINT);
  }

  /** The canonical U-labels of a name in A-labels that {@link #parse} made. */
  static String unicode(String ascii) {
    return UTS46.nameToUnicode(ascii, new StringBuilder(), new IDNA.Info()).toString();
  }

  private static String reason(IDNA.Error error) {
    return switch (error) {
      case PUNYCODE, INVALID_ACE_LABEL, LABEL_HAS_DOT -> "broken A-label (xn--)";
      case BIDI -> "label that mixes writing directions";
      case CONTEXTJ, CONTEXTO_PUNCTUATION, CONTEXTO_DIGITS -> "joiner in a wrong place";
      case LEADING_COMBINING_MARK -> "label that begins with a combining mark";
      case DISALLOWED,
          EMPTY_LABEL,
          LABEL_TOO_LONG,
          DOMAIN_NAME_TOO_LONG,
          LEADING_HYPHEN,
          TRAILING_HYPHEN,
          HYPHEN_3_4 ->
          BAD_CHARACTER;
    };
  }
}
