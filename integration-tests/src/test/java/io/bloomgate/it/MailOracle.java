package io.bloomgate.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.campaign.BodyPrint;
import io.bloomgate.config.name.Fingerprint;
import jakarta.mail.BodyPart;
import jakarta.mail.MessagingException;
import jakarta.mail.Part;
import jakarta.mail.internet.ContentType;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import jakarta.mail.internet.MimeUtility;
import jakarta.mail.internet.ParseException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.parser.Parser;
import org.jspecify.annotations.Nullable;

/**
 * What lists may hold of a mail, by another reader than the gateway's: jakarta.mail divides the
 * mail, patterns find links. It reads texts of the body and files; a mail inside the mail is left
 * out, as what it holds tags at most. For {@link RecallTest}.
 */
final class MailOracle {

  /** What is listed. */
  enum Kind {
    URL,
    HOST,
    FROM,
    FILE,
    SUBJECT,
    PRINT
  }

  /** One thing of a mail, as people write it in a list. */
  record Item(Kind kind, String text) {}

  /** Shorter files have no fingerprint. */
  private static final int LEAST_FILE = 64;

  private static final Pattern URL = Pattern.compile("(?i)\\bhttps?://[^\\s<>\"]+");
  private static final Pattern SENTENCE = Pattern.compile("[.,;:!?'|*_~)\\]}]+$");
  private static final Pattern HOST = Pattern.compile("(?i)^https?://(?:[^/?#@]*@)?([^/?#:]+)");

  private static final Pattern LINK =
      Pattern.compile(
          "(?is)<(?:a|area|img|form|iframe|frame|input|embed)\\b[^>]*?\\s(?:href|src|action)\\s*=\\s*"
              + "(?:\"([^\"]*)\"|'([^']*)'|([^\\s>\"']+))");

  private static final Pattern UNSEEN =
      Pattern.compile("(?is)<!--.*?-->|<(script|style|title)\\b.*?</\\1\\s*>");

  private static final Pattern BLOCK =
      Pattern.compile(
          "(?i)</?(?:p|div|br|t[rdh]|table|li|[uod]l|d[td]|h[1-6r]|blockquote|center|form|pre"
              + "|body|html|head|address|fieldset|tbody|thead)\\b[^>]*>");

  private static final Pattern ADDRESS = Pattern.compile("[^\\s<>(),;:\"]+@[\\w.-]+");

  private final Set<Item> items = new LinkedHashSet<>();
  private final BodyPrint print = new BodyPrint(0);

  private MailOracle() {}

  /** The items of a mail. */
  static Set<Item> items(byte[] mail) {
    MailOracle oracle = new MailOracle();
    try {
      MimeMessage message = new MimeMessage(null, new ByteArrayInputStream(mail));
      oracle.header(message);
      oracle.part(message);
    } catch (MessagingException | IOException ignored) {
      // It cannot read more of this mail.
    }
    Fingerprint text = oracle.print.end().exact();
    if (text != null) {
      oracle.add(Kind.PRINT, text.toString());
    }
    return oracle.items;
  }

  private void add(Kind kind, String text) {
    items.add(new Item(kind, text));
  }

  private void header(MimeMessage message) throws MessagingException, IOException {
    String[] from = message.getHeader("From");
    if (from != null) {
      String shown = MimeUtility.unfold(from[0]);
      try {
        InternetAddress[] addresses = InternetAddress.parseHeader(shown, false);
        add(Kind.FROM, addresses.length == 0 ? "" : addresses[0].getAddress());
      } catch (ParseException e) {
        Matcher address = ADDRESS.matcher(shown);
        add(Kind.FROM, address.find() ? address.group() : "");
      }
    }
    String[] subject = message.getHeader("Subject");
    if (subject != null) {
      add(Kind.SUBJECT, MimeUtility.decodeText(MimeUtility.unfold(subject[0])));
    }
  }

  private void part(Part part) throws MessagingException, IOException {
    ContentType type = type(part);
    if (type.match("multipart/*")) {
      MimeMultipart parts = new MimeMultipart(new PartSource(part, type));
      for (int i = 0; i < parts.getCount(); i++) {
        BodyPart each = parts.getBodyPart(i);
        boolean isMail = type.match("multipart/digest") && each.getHeader("Content-Type") == null;
        if (!isMail) {
          part(each);
        }
      }
      return;
    }
    byte[] octets = octets(part);
    boolean isText = type.match("text/*");
    boolean isFile =
        fileName(part) != null || Part.ATTACHMENT.equalsIgnoreCase(part.getDisposition());
    if (isFile && octets.length >= LEAST_FILE && !type.match("message/*")) {
      add(Kind.FILE, Fingerprint.of(Fingerprint.sha256().digest(octets)).toString());
    } else if (!isFile && isText) {
      text(decoded(octets, type.getParameter("charset")), type.match("text/html"));
    }
  }

  private static ContentType type(Part part) throws MessagingException {
    String[] header = part.getHeader("Content-Type");
    try {
      return new ContentType(
          header == null ? "text/plain" : header[0].replaceAll("[;\\s]*;[;\\s]*", "; "));
    } catch (ParseException e) {
      return new ContentType("text/plain");
    }
  }

  private static @Nullable String fileName(Part part) {
    try {
      return part.getFileName();
    } catch (MessagingException e) {
      return null;
    }
  }

  /** Without a charset that says something: UTF-8, and what is none in windows-1252. */
  private static String decoded(byte[] octets, @Nullable String charset) throws IOException {
    try {
      if (charset != null && !charset.equalsIgnoreCase("us-ascii")) {
        return new String(octets, Charset.forName(MimeUtility.javaCharset(charset)));
      }
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      // as without
    }
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(octets)).toString();
    } catch (CharacterCodingException e) {
      return new String(octets, Charset.forName("windows-1252"));
    }
  }

  private static InputStream raw(Part part) throws MessagingException {
    return part instanceof MimeMessage mail
        ? mail.getRawInputStream()
        : ((MimeBodyPart) part).getRawInputStream();
  }

  private static byte[] octets(Part part) throws MessagingException, IOException {
    String[] header = part.getHeader("Content-Transfer-Encoding");
    String encoding = header == null ? "7bit" : header[0].strip().toLowerCase(Locale.ROOT);
    byte[] octets = raw(part).readAllBytes();
    return switch (encoding) {
      case "base64" -> ofBase64(new String(octets, ISO_8859_1));
      case "quoted-printable" ->
          MimeUtility.decode(new ByteArrayInputStream(octets), encoding).readAllBytes();
      default -> octets;
    };
  }

  /** Up to the padding; the rest of a unit that is cut is left out. */
  private static byte[] ofBase64(String text) {
    int padding = text.indexOf('=');
    String digits = text.substring(0, padding < 0 ? text.length() : padding);
    digits = digits.replaceAll("[^A-Za-z0-9+/]", "");
    return Base64.getDecoder()
        .decode(digits.substring(0, digits.length() - (digits.length() % 4 == 1 ? 1 : 0)));
  }

  private record PartSource(Part part, ContentType type) implements jakarta.activation.DataSource {
    @Override
    public InputStream getInputStream() throws IOException {
      try {
        return raw(part);
      } catch (MessagingException e) {
        throw new IOException(e);
      }
    }

    @Override
    public java.io.OutputStream getOutputStream() {
      throw new UnsupportedOperationException();
    }

    @Override
    public String getContentType() {
      return type.toString();
    }

    @Override
    public String getName() {
      return "";
    }
  }

  private void text(String text, boolean isPage) {
    if (!isPage) {
      print.put(text);
      URL.matcher(text).results().map(MatchResult::group).forEach(this::url);
      return;
    }
    String seen = UNSEEN.matcher(text).replaceAll(" ");
    LINK.matcher(seen)
        .results()
        .map(link ->
            link.group(1) != null ? link.group(1) : link.group(link.group(2) != null ? 2 : 3))
        .map(link -> Parser.unescapeEntities(link, true).strip())
        .filter(link -> URL.matcher(link).matches())
        .forEach(this::link);
    String shown = BLOCK.matcher(seen).replaceAll("\n").replaceAll("<[^>]*>", "");
    print.put(Parser.unescapeEntities(shown, false));
  }

  private void url(String written) {
    link(SENTENCE.matcher(written).replaceFirst(""));
  }

  private void link(String link) {
    add(Kind.URL, link);
    Matcher host = HOST.matcher(link);
    if (host.find()) {
      add(Kind.HOST, host.group(1));
    }
  }
}
