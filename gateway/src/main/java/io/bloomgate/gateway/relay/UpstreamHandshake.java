package io.bloomgate.gateway.relay;

import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.settings.Settings.Downstream;
import io.bloomgate.config.settings.Settings.Downstream.ClientAddress;
import io.bloomgate.config.settings.Settings.Downstream.Protocol;
import io.bloomgate.config.settings.Settings.Downstream.UpstreamTls;
import java.io.IOException;
import java.util.List;

/**
 * Leads a greeted connection to one that is ready for MAIL: EHLO, STARTTLS, EHLO, XCLIENT, EHLO; in
 * LMTP LHLO is sent in place of EHLO. A mail server that does not know EHLO is greeted with HELO
 * and offers nothing (RFC 5321 section 3.2).
 *
 * <p>Every refusal here concerns the relay's own setup, never the client's mail, so each becomes
 * 451. Used by {@link MailServer}, one object a connection.
 */
final class UpstreamHandshake {

  private final UpstreamClient client;
  private final Downstream settings;
  private final String hostName;
  private final ClientIdentity identity;
  private final String hello;
  private boolean named;
  private boolean tookXclient;

  /**
   * A dialog that has not begun.
   *
   * @param hostName what we call ourselves
   * @param identity the client's, or our own in a probe
   */
  UpstreamHandshake(
      UpstreamClient client, Downstream settings, String hostName, ClientIdentity identity) {
    this.client = client;
    this.settings = settings;
    this.hostName = hostName;
    this.identity = identity;
    // A PROXY header was sent before the greeting.
    this.named = settings.clientAddress().byProxyHeader();
    // RFC 2033 section 4.1.
    this.hello = settings.protocol() == Protocol.LMTP ? "LHLO " : "EHLO ";
  }

  /** STARTTLS went wrong after it was agreed on; the connection is of no use any more. */
  static final class TlsFailedException extends IOException {
    private static final long serialVersionUID = 1L;

    TlsFailedException(IOException cause) {
      super("TLS with the mail server failed: " + RawReply.excerpt(Faults.words(cause)));
      initCause(cause);
    }
  }

  /**
   * Checks the greeting; only 220 opens a session (RFC 5321 section 4.3.2). With 421 a server
   * enforces its own limits; a client that reaches them must not make the server count as down.
   */
  void greeted(RawReply greeting) throws UpstreamException {
    if (greeting.code() == 421) {
      throw greeting
          .notAboutMail("mail server greeted with ")
          .concerning(UpstreamException.Concerns.MOMENT);
    }
    require(220, greeting, "mail server greeted with ");
  }

  /**
   * EHLO, and TLS as the settings want it.
   *
   * @param mayEncrypt false on the second try of an opportunistic connection
   */
  UpstreamExtensions hello(boolean mayEncrypt) throws IOException, UpstreamException {
    UpstreamExtensions offered = ehlo();
    UpstreamTls wish = settings.tls();
    if (wish == UpstreamTls.NONE || !mayEncrypt) {
      return offered;
    }
    boolean must = wish != UpstreamTls.OPPORTUNISTIC;
    if (!offered.startTls()) {
      if (must) {
        throw UpstreamException.cannotUse("mail server does not offer STARTTLS, which is required");
      }
      return offered;
    }
    RawReply reply = startTls();
    if (reply.code() == 220) {
      // RFC 3207 section 4.2: what was learnt before TLS no longer counts.
      return ehlo();
    }
    if (must) {
      throw UpstreamException.cannotUse("mail server answered STARTTLS with " + reply.forLog());
    }
    return offered;
  }

  private RawReply startTls() throws IOException {
    try {
      return client.startTls(settings.commandTimeout());
    } catch (ReplyReader.MalformedReplyException e) {
      throw e;
    } catch (IOException e) {
      throw new TlsFailedException(e);
    }
  }

  /**
   * Sends the client's identity by XCLIENT where the settings want it and the server offers it.
   *
   * @param expected true once XCLIENT has worked: then a missing XCLIENT is a fault, and the dialog
   *     does not go on with the wrong client address
   * @return what is offered to this client
   */
  UpstreamExtensions identify(UpstreamExtensions offered, boolean expected)
      throws IOException, UpstreamException {
    ClientAddress wish = settings.clientAddress();
    if (wish != ClientAddress.AUTO && wish != ClientAddress.XCLIENT) {
      return offered;
    }
    List<String> commands = identity.xclient(offered.xclientAttributes());
    if (commands.isEmpty()) {
      if (wish == ClientAddress.XCLIENT || expected) {
        throw UpstreamException.cannotUse(
            "mail server does not offer XCLIENT with ADDR"
                + (expected
                    ? " any more; if that is intended, change client_address"
                    : ", which client_address: xclient requires"));
      }
      return offered;
    }
    UpstreamExtensions current = offered;
    for (String command : commands) {
      named = true;
      // XCLIENT resets the dialog to the greeting, so EHLO follows.
      RawReply reply = client.command(settings.commandTimeout(), command);
      require(220, reply, "mail server answered XCLIENT with ");
      tookXclient = true;
      current = ehlo();
    }
    return current;
  }

  /** True when the mail server took XCLIENT on this connection. */
  boolean tookXclient() {
    return tookXclient;
  }

  /**
   * EHLO with the client's name once the mail server takes us for the client, so that its HELO
   * checks and its Received field are about the client. When it refuses that name, EHLO is sent
   * with ours.
   */
  private UpstreamExtensions ehlo() throws IOException, UpstreamException {
    boolean asClient = tookXclient || settings.clientAddress().byProxyHeader();
    if (asClient && isName(identity.helo())) {
      RawReply reply = client.command(settings.commandTimeout(), hello + identity.helo());
      if (reply.code() / 100 != 5) {
        require(250, reply, "mail server answered EHLO with ");
        return UpstreamExtensions.parse(reply.lines());
      }
    }
    RawReply reply = client.command(settings.commandTimeout(), hello + hostName);
    if (isUnknownCommand(reply) && settings.protocol() == Protocol.SMTP) {
      RawReply old = client.command(settings.commandTimeout(), "HELO " + hostName);
      require(250, old, "mail server does not know EHLO and answered HELO with ");
      return UpstreamExtensions.NONE;
    }
    require(250, reply, "mail server answered EHLO with ");
    return UpstreamExtensions.parse(reply.lines());
  }

  /** RFC 5321 section 4.2.4; 501 and 504 are about the name, which HELO would carry as well. */
  private static boolean isUnknownCommand(RawReply reply) {
    return reply.code() == 500 || reply.code() == 502;
  }

  /** True for one word of printable ASCII; other names are not sent. */
  private static boolean isName(String helo) {
    return !helo.isEmpty()
        && helo.length() <= ClientIdentity.MAX_HELO_OCTETS
        && helo.chars().allMatch(c -> c > ' ' && c <= '~');
  }

  /** Requires a code: after a client was named, a refusal may concern the client's address. */
  private void require(int code, RawReply reply, String what) throws UpstreamException {
    if (reply.code() == code) {
      return;
    }
    UpstreamException refusal = reply.notAboutMail(what);
    throw named ? refusal.concerning(UpstreamException.Concerns.CLIENT) : refusal;
  }
}
