package io.bloomgate.blocklists.replay;

import org.jspecify.annotations.Nullable;

/** A refusal: {@code reject: RCPT from name[address]:port: reply; from=<a> to=<b> helo=<c>}. */
record PostfixReject(
    boolean byMilter,
    String stage,
    String peer,
    String reply,
    @Nullable String from,
    @Nullable String to,
    @Nullable String helo) {

  private static final String REJECT = "reject: ";
  private static final String MILTER_REJECT = "milter-reject: ";

  /** True for a text that begins like one. */
  static boolean isOne(String text) {
    return text.startsWith(REJECT) || text.startsWith(MILTER_REJECT);
  }

  /** Reads one; {@code null} when it is none, or cut. */
  static @Nullable PostfixReject of(String text) {
    int begin = text.startsWith(MILTER_REJECT) ? MILTER_REJECT.length() : REJECT.length();
    int from = text.indexOf(" from ", begin);
    int reply = text.indexOf(": ", from + 1);
    if (!isOne(text) || from < 0 || reply < 0) {
      return null;
    }
    int envelope = text.indexOf("; from=<", reply);
    String tail = envelope < 0 ? text.substring(reply) : text.substring(envelope);
    int name = tail.lastIndexOf("helo=<");
    return new PostfixReject(
        text.startsWith(MILTER_REJECT),
        text.substring(begin, from),
        text.substring(from + " from ".length(), reply),
        text.substring(reply + 2, envelope < 0 ? text.length() : envelope),
        envelope < 0 ? null : LogText.between(tail, "from=<", ">"),
        LogText.between(tail, " to=<", ">"),
        name < 0 || !tail.endsWith(">")
            ? null
            : tail.substring(name + "helo=<".length(), tail.length() - 1));
  }

  void into(LoggedMail mail) {
    PostfixPeer client = PostfixPeer.of(peer);
    if (client != null) {
      client.into(mail);
    }
    mail.from(from);
    mail.helo(helo);
    if (to != null) {
      mail.to(to);
    }
  }
}
