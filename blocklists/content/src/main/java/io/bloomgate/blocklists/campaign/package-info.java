/**
 * The same mail to many: fingerprints of subjects and bodies, and counters of how many copies pass
 * from how many networks.
 *
 * <p>Sessions make prints and count them on their threads, a slow chore ticks. It keeps numbers
 * only, no text, and knows nothing of lists and verdicts: what many copies mean is decided in
 * {@code decision}.
 */
@NullMarked
package io.bloomgate.blocklists.campaign;

import org.jspecify.annotations.NullMarked;
