package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.MailAddress;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.stream.EntityState;
import org.apache.james.mime4j.stream.MimeConfig;
import org.apache.james.mime4j.stream.MimeTokenStream;
import org.apache.james.mime4j.stream.RecursionMode;

/**
 * A mail that somebody reports: attached to a mail of a person (message/rfc822, or a file of that
 * kind), or in a report of a program (RFC 5965), of which it may be the header alone. Made by those
 * who take reports. Immutable.
 */
public final class ReportedMail {

  /** Mails of one report that are read. */
  public static final int MOST = 20;

  /** Octets of the fields of a report of a program that are read. */
  private static final int MAX_FIELDS_OCTETS = 16 * 1024;

  /** Longest field that may name a file, in characters. */
  private static final int MAX_FIELD = 2_000;

  /** Octets of a mail in which our Received field is looked for. */
  private static final int MAX_HEAD_OCTETS = 64 * 1024;

  private static final Set<String> MAILS =
      Set.of("message/rfc822", "message/global", "text/rfc822-headers", "message/global-headers");

  private static final MimeConfig CONFIG =
      MimeConfig.custom()
          .setMaxLineLen(-1)
          .setMaxHeaderCount(-1)
          .setMaxHeaderLen(MimeWalk.MAX_HEADER_OCTETS)
          .setMaxContentLen(-1)
          .build();

  /** RFC 5321 section 4.4, as this gateway writes it; a space may be a fold. */
  private static final Pattern OURS =
      Pattern.compile(
          "(?im)^Received:[^\\n]*(?:\\n[ \\t][^\\n]*){0,20}?\\(bloomgate\\)\\s+with\\s+"
              + "[A-Z0-9]{4,9}\\s+id\\s+([0-9A-Z]{10})\\b");

  /** A file that a mail program calls a mail. */
  private static final Pattern MAIL_FILE =
      Pattern.compile("(?is).*name\\*?[0-9]*\\*?=\\s*\"?[^\"\\r\\n]*\\.eml\"?.*");

  private final byte[] octets;
  private final Optional<IpAddress> client;
  private final Optional<MailAddress> sender;

  private ReportedMail(byte[] octets, Optional<IpAddress> client, Optional<MailAddress> sender) {
    this.octets = octets;
    this.client = client;
    this.sender = sender;
  }

  /** The octets of the mail, its transfer encoding undone; not to be changed. */
  public byte[] octets() {
    return octets;
  }

  /** The client that the report names (Source-IP); empty where it names none. */
  public Optional<IpAddress> client() {
    return client;
  }

  /** The sender that the report names (Original-Mail-From); empty where it names none. */
  public Optional<MailAddress> sender() {
    return sender;
  }

  /** The mails of a report, at most {@link #MOST}; none in a mail that reports nothing. */
  public static List<ReportedMail> in(byte[] report) {
    MimeTokenStream tokens = new MimeTokenStream(CONFIG, DecodeMonitor.SILENT, null, null);
    tokens.setRecursionMode(RecursionMode.M_NO_RECURSE);
    tokens.parse(new ByteArrayInputStream(report));
    List<byte[]> mails = new ArrayList<>();
    String fields = "";
    boolean isFile = false;
    int depth = 0;
    try {
      for (EntityState state = tokens.getState();
          state != EntityState.T_END_OF_STREAM && mails.size() < MOST && depth < MimeWalk.MAX_DEPTH;
          state = tokens.next()) {
        switch (state) {
          case T_START_MULTIPART -> depth++;
          case T_END_MULTIPART -> depth--;
          case T_START_HEADER -> isFile = false;
          case T_FIELD ->
              isFile |=
                  tokens.getField().getNameLowerCase().startsWith("content-")
                      && isMailFile(String.valueOf(tokens.getField().getBody()));
          case T_BODY -> {
            String type = tokens.getBodyDescriptor().getMimeType();
            if (type.equals("message/feedback-report")) {
              fields = text(tokens.getDecodedInputStream(), MAX_FIELDS_OCTETS);
            } else if (depth > 0 && (isFile || MAILS.contains(type))) {
              mails.add(tokens.getDecodedInputStream().readAllBytes());
            }
          }
          default -> {}
        }
      }
    } catch (IOException | MimeException e) {
      // The rest of the report is no MIME: what came before is.
    }
    Optional<IpAddress> client =
        field(fields, "Source-IP").flatMap(text -> IpAddress.parse(text).toOptional());
    Optional<MailAddress> sender =
        field(fields, "Original-Mail-From")
            .flatMap(text -> MailAddress.parse(text.replaceAll("^<|>$", "")).toOptional());
    return mails.stream().map(octets -> new ReportedMail(octets, client, sender)).toList();
  }

  private static boolean isMailFile(String field) {
    return field.length() <= MAX_FIELD && MAIL_FILE.matcher(field).matches();
  }

  private static String text(InputStream octets, int most) throws IOException {
    return new String(octets.readNBytes(most), ISO_8859_1);
  }

  /** RFC 5965 section 3: one field a line, comments are rare. */
  private static Optional<String> field(String fields, String name) {
    Matcher found = Pattern.compile("(?im)^" + name + ":[ \\t]*(\\S+)").matcher(fields);
    return found.find() ? Optional.of(found.group(1)) : Optional.empty();
  }

  /**
   * The id that this gateway, or another one, gave a mail when it came; empty where no Received
   * field has one. The topmost counts, which the sender could not write.
   */
  public static Optional<String> id(byte[] mail) {
    String head = new String(mail, 0, Math.min(mail.length, MAX_HEAD_OCTETS), ISO_8859_1);
    int end = head.indexOf("\n\r\n");
    end = end < 0 ? head.indexOf("\n\n") : end;
    Matcher ours = OURS.matcher(end < 0 ? head : head.substring(0, end));
    return ours.find() ? Optional.of(ours.group(1)) : Optional.empty();
  }
}
