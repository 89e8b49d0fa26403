package io.bloomgate.config.name;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A part of a transaction that is compared with a list, strongest first: of two equally strong
 * listings the reply names the one whose check is first here (rules of decision in
 * gateway/README.md, join).
 */
public enum Check implements Keyed {
  /** The address of the client. */
  CLIENT_IP,
  /**
   * The name of the client's address, when it leads back to the address. It has to be looked up, so
   * only lists that say so are asked.
   */
  CLIENT_NAME,
  /** The name or address literal of HELO or EHLO. */
  HELO,
  /** The envelope sender's whole address. */
  SENDER,
  /** The domain of the envelope sender. */
  SENDER_DOMAIN,
  /** The AS number of the client's network, by a list of the format {@code asn-table}. */
  ASN,
  /** A mailbox of a From field, RFC 5322 section 3.6.2. */
  FROM,
  /** The domain of such a mailbox. */
  FROM_DOMAIN,
  /** The domain of a mailbox of a Reply-To field. */
  REPLY_TO_DOMAIN,
  /** A web address in the mail, and its shorter expressions. */
  URL,
  /** The host of a web address in the mail. */
  URL_HOST,
  /** The SHA-256 value of a decoded part of the mail. */
  ATTACHMENT,
  /** The fingerprint of the normalised subject. */
  SUBJECT,
  /** The fingerprint of the normalised visible text. */
  BODY;

  /**
   * The checks of a list that names none: they take neither a look-up nor the content of the mail.
   */
  public static final List<Check> WITHOUT_LOOK_UP = List.of(CLIENT_IP, HELO, SENDER, SENDER_DOMAIN);

  /** The checks of the content of the mail: their keys are known at its end, stage data. */
  public static final Set<Check> OF_CONTENT =
      Collections.unmodifiableSet(EnumSet.range(FROM, BODY));

  /**
   * The checks that an entry of the operator may name. An entry that holds for the client's address
   * holds for its AS number too.
   */
  public static final List<Check> OF_OPERATOR =
      Arrays.stream(values()).filter(check -> check != ASN).toList();
}
