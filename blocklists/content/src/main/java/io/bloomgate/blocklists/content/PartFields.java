package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.url.InnerUrls;
import io.bloomgate.config.name.WebUrl;
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.james.mime4j.stream.Field;
import org.apache.james.mime4j.stream.NameValuePair;
import org.apache.james.mime4j.stream.RawBody;
import org.apache.james.mime4j.stream.RawField;
import org.apache.james.mime4j.stream.RawFieldParser;
import org.jspecify.annotations.Nullable;

/**
 * Reads the Content fields of one header block (RFC 2045, 2183, 2231, 2557), and counts what {@code
 * limits.mime} is about. Of two fields the first counts. Used by {@link MimeWalk}; of one thread.
 */
final class PartFields {

  /** The beginning of a media type, up to a blank, a comma or a semicolon. */
  private static final Pattern TYPE =
      Pattern.compile("^\\s*+([^\\s;,/]++/[^\\s;,]++).*+$", Pattern.DOTALL);

  private final MailKeys keys;
  private final MimeLimits limits;
  private final Map<String, String> type = new HashMap<>();
  private String declared = "";
  private String fileName = "";
  private boolean isTyped;
  private boolean isEncoded;
  private boolean isDisposed;
  private boolean isAttachment;
  private @Nullable WebUrl location;
  private int parameters;
  private int addresses;

  PartFields(MailKeys keys, MimeLimits limits) {
    this.keys = keys;
    this.limits = limits;
  }

  /**
   * Takes a field.
   *
   * @param body unfolded
   * @return the limit that the block is beyond; {@code null} for none
   */
  @Nullable MimeExcess field(Field field, String name, String body) {
    switch (name) {
      case "content-type", "content-disposition", "content-transfer-encoding" ->
          parameters += separators(body, ';');
      case "from", "reply-to", "sender", "to", "cc", "bcc" ->
          addresses += separators(body, ',') + 1;
      case "resent-from", "resent-to", "resent-cc", "resent-bcc" ->
          addresses += separators(body, ',') + 1;
      default -> {}
    }
    if (parameters > limits.parameters()) {
      return new MimeExcess(MimeExcess.What.PARAMETERS, limits.parameters());
    }
    if (addresses > limits.addressFields()) {
      return new MimeExcess(MimeExcess.What.ADDRESS_FIELDS, limits.addressFields());
    }
    switch (name) {
      case "content-type" -> type(field);
      case "content-disposition" -> disposition(field);
      case "content-transfer-encoding" -> {
        second(isEncoded);
        isEncoded = true;
      }
      case "content-location", "content-base" -> location = WebUrl.base(body).orElse(location);
      default -> {}
    }
    return null;
  }

  private void second(boolean isSecond) {
    if (isSecond) {
      keys.odd(Oddity.SECOND_FIELD);
    }
  }

  private void type(Field field) {
    second(isTyped);
    if (isTyped) {
      return;
    }
    isTyped = true;
    RawBody body = parsed(field);
    declared = TYPE.matcher(String.valueOf(body.getValue())).replaceFirst("$1");
    List<NameValuePair> pairs = body.getParams();
    for (NameValuePair pair : pairs) {
      String value = pair.getValue() == null ? "" : pair.getValue();
      String name = pair.getName().toLowerCase(Locale.ROOT);
      String before = type.putIfAbsent(name, value);
      if (name.equals("boundary") && before != null && !before.equals(value)) {
        keys.odd(Oddity.SECOND_BOUNDARY);
      }
    }
    fileName = fileName.isEmpty() ? value(pairs, "name") : fileName;
  }

  private void disposition(Field field) {
    second(isDisposed);
    if (isDisposed) {
      return;
    }
    isDisposed = true;
    RawBody body = parsed(field);
    isAttachment = "attachment".equalsIgnoreCase(body.getValue());
    String name = value(body.getParams(), "filename");
    fileName = name.isEmpty() ? fileName : name;
  }

  /**
   * A parameter, or its sections, of which the first names the charset (RFC 2231 sections 3 and 4);
   * empty for none. mime4j asks the JDK for each charset again. Encoded words are shown decoded,
   * although RFC 2047 section 5 forbids them.
   */
  static String value(List<NameValuePair> pairs, String wanted) {
    Map<String, String> sections = new HashMap<>();
    for (NameValuePair pair : pairs) {
      String name = pair.getName().toLowerCase(Locale.ROOT);
      if (name.startsWith(wanted) && pair.getValue() != null) {
        String section = name.substring(wanted.length());
        sections.putIfAbsent(section.equals("*") ? "*0*" : section, pair.getValue());
      }
    }
    String whole = joined(sections);
    whole = whole.isBlank() ? sections.getOrDefault("", "") : whole;
    return whole.isBlank() ? "" : EncodedWords.decoded(whole);
  }

  private static String joined(Map<String, String> sections) {
    ByteArrayOutputStream octets = new ByteArrayOutputStream();
    String charset = "";
    for (int i = 0; ; i++) {
      String extended = sections.get("*" + i + "*");
      String plain = sections.get("*" + i);
      if (extended != null) {
        int quote = i > 0 ? -1 : extended.indexOf('\'');
        int language = quote < 0 ? -1 : extended.indexOf('\'', quote + 1);
        charset = quote < 0 ? charset : extended.substring(0, quote);
        octets.writeBytes(InnerUrls.unescaped(extended.substring(language + 1), '%'));
      } else if (plain != null) {
        octets.writeBytes(plain.getBytes(UTF_8));
      } else {
        return Charsets.decoded(octets.toByteArray(), octets.size(), charset, false);
      }
    }
  }

  private static RawBody parsed(Field field) {
    return RawFieldParser.DEFAULT.parseRawBody(
        field instanceof RawField raw ? raw : new RawField(field.getName(), field.getBody()));
  }

  /** Separators of a field, those in quotes and comments left out. */
  private static int separators(String body, char separator) {
    int count = 0;
    int comments = 0;
    boolean quoted = false;
    for (int i = 0; i < body.length(); i++) {
      char c = body.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '"' && comments == 0) {
        quoted = !quoted;
      } else if (!quoted && c == '(') {
        comments++;
      } else if (!quoted && c == ')') {
        comments = Math.max(0, comments - 1);
      } else if (c == separator && !quoted && comments == 0) {
        count++;
      }
    }
    // A quote or comment that never ends: programs differ, and every separator counts.
    return quoted || comments > 0 ? (int) body.chars().filter(c -> c == separator).count() : count;
  }

  /** A parameter of the type; empty for none. */
  String parameter(String name) {
    return type.getOrDefault(name, "");
  }

  /** All of the block. */
  PartHead head(String mimeType) {
    // Programs end the type at a blank or a comma, too, where mime4j sees none.
    String shown = declared.indexOf('/') > 0 ? declared : mimeType;
    String charset = parameter("charset");
    if (!Charsets.isKnown(charset)) {
      keys.odd(Oddity.UNKNOWN_CHARSET);
    }
    boolean isJoined =
        parameter("format").equalsIgnoreCase("flowed")
            && parameter("delsp").equalsIgnoreCase("yes");
    return new PartHead(
        shown.toLowerCase(Locale.ROOT), charset, fileName, isAttachment, isJoined, location);
  }
}
