/**
 * Greylisting: a sender that weak lists name is asked to come again, and is let in when it does.
 *
 * <p>{@code Greylist} is the only door. Sessions ask it on their threads, a slow chore saves. It
 * knows nothing of lists and verdicts: who is greylisted is decided in {@code decision}.
 */
@NullMarked
package io.bloomgate.blocklists.greylist;

import org.jspecify.annotations.NullMarked;
