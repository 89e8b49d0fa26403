/**
 * Logs of mail servers as past sessions: Postfix, rspamd, Haraka and Exim. A log is not trusted: it
 * may be cut, rotated, binary or written by those who send mail; lines, open mails and their
 * recipients are bounded.
 *
 * <p>Called by the command line, on one thread.
 */
@NullMarked
package io.bloomgate.blocklists.replay;

import org.jspecify.annotations.NullMarked;
