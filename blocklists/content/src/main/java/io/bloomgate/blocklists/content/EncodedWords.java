package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomgate.blocklists.url.InnerUrls;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.stream.DefaultFieldBuilder;
import org.apache.james.mime4j.stream.NameValuePair;
import org.apache.james.mime4j.stream.RawField;
import org.apache.james.mime4j.stream.RawFieldParser;
import org.apache.james.mime4j.util.ContentUtil;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the encoded words of a field (RFC 2047) in linear time. mime4j takes quadratic time for
 * them, and 0.3 ms for each charset that it does not know, such as UTF-7. Used by {@link
 * HeaderKeys} and {@link PartFields}; pure.
 */
final class EncodedWords {

  /** The charset may be followed by a language (RFC 2231 section 5). */
  private static final Pattern WORD =
      Pattern.compile("=\\?([^?*\\s]{1,40}+)(?:\\*[^?\\s]{0,40}+)?+\\?([bBqQ])\\?([^?]*+)\\?=");

  /** Words in the Content fields of a mail, where the RFC forbids them. */
  static final int MAX_IN_PARAMETERS = 500;

  private EncodedWords() {}

  /**
   * Builds fields as mime4j does, which decodes the words in parameters itself: a field with too
   * many is passed over. So is what is no field in the header of a multipart, where mime4j fails.
   */
  static final class Fields extends DefaultFieldBuilder {
    private final AtomicInteger left;
    private final Consumer<Oddity> odd;
    private boolean isMultipart;

    /**
     * Makes a builder for one stream.
     *
     * @param left words that the mail may still have
     */
    Fields(AtomicInteger left, Consumer<Oddity> odd) {
      super(MimeWalk.MAX_HEADER_OCTETS);
      this.left = left;
      this.odd = odd;
    }

    /** The next header begins. */
    void begin() {
      isMultipart = false;
    }

    @Override
    public @Nullable RawField build() throws MimeException {
      RawField field;
      try {
        field = super.build();
      } catch (MimeException e) {
        if (isMultipart) {
          odd.accept(Oddity.BROKEN_MIME);
          return null;
        }
        throw e;
      }
      if (!field.getNameLowerCase().startsWith("content-")) {
        return field;
      }
      String body = field.getBody();
      isMultipart |= body.strip().toLowerCase(Locale.ROOT).startsWith("multipart/");
      if (left.addAndGet(1 - body.split("=\\?", -1).length) < 0) {
        odd.accept(Oddity.LONG_HEADER);
        return null;
      }
      return field.getNameLowerCase().equals("content-type") ? withBoundary(field) : field;
    }

    /** A boundary in sections (RFC 2231), which mime4j does not read, as one parameter. */
    private static RawField withBoundary(RawField field) throws MimeException {
      String body = field.getBody();
      List<NameValuePair> pairs =
          body.contains("*") ? RawFieldParser.DEFAULT.parseRawBody(field).getParams() : List.of();
      boolean isWhole =
          pairs.stream().anyMatch(pair -> pair.getName().equalsIgnoreCase("boundary"));
      String joined = isWhole ? "" : PartFields.value(pairs, "boundary");
      return joined.isEmpty()
          ? field
          : RawFieldParser.DEFAULT.parseField(
              ContentUtil.encode(
                  "Content-Type: " + body + "; boundary=\"" + joined.replace("\"", "") + "\""));
    }
  }

  /** The text as it is shown: white space between two words is none (RFC 2047 section 6.2). */
  static String decoded(String field) {
    if (!field.contains("=?")) {
      return field;
    }
    StringBuilder shown = new StringBuilder(field.length());
    ByteArrayOutputStream octets = new ByteArrayOutputStream();
    String charset = "";
    int behind = 0;
    for (Matcher word = WORD.matcher(field); word.find(); behind = word.end()) {
      String between = field.substring(behind, word.start());
      boolean isNext = behind > 0 && between.isBlank();
      // A letter may begin in one word and end in the next, although it must not.
      if (!isNext || !charset.equalsIgnoreCase(word.group(1))) {
        shown.append(text(octets, charset)).append(isNext ? "" : between);
        charset = word.group(1);
      }
      boolean isBase64 = word.group(2).equalsIgnoreCase("b");
      String text = word.group(3);
      octets.writeBytes(
          isBase64
              ? MailDecoding.base64(text.getBytes(ISO_8859_1))
              : InnerUrls.unescaped(text.replace('_', ' '), '='));
    }
    return shown.append(text(octets, charset)).append(field, behind, field.length()).toString();
  }

  private static String text(ByteArrayOutputStream octets, String charset) {
    String text = Charsets.decoded(octets.toByteArray(), octets.size(), charset, false);
    octets.reset();
    return text;
  }
}
