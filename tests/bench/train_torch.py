# SPDX-FileCopyrightText: Posiscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of train_bench.cpp in PyTorch, for comparison: python3 train_torch.py [SECONDS]

A practitioner's module: fused qkv, nn.LayerNorm, F.gelu, softmax, AdamW, clipping. Run it in turns with
`posiscope_bench --benchmark_filter=trainStep`, on a quiet machine. PyTorch's threads times those of its BLAS must not
exceed the cores: both settings are tried, and the better one counts.
"""
import os
import sys
import time

SIZES = {"S": (64, 4, 2, 32, 32, 32), "M": (128, 4, 4, 64, 16, 64), "L": (256, 8, 4, 128, 8, 96)}


def model_of(torch, d, heads, layers, length, vocab):
    nn, F = torch.nn, torch.nn.functional

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
            self.qkv, self.o = nn.Linear(d, 3 * d), nn.Linear(d, d)
            self.up, self.down = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

        def forward(self, x, mask):
            b, n, _ = x.shape
            q, k, v = self.qkv(self.ln1(x)).view(b, n, 3, heads, d // heads).permute(2, 0, 3, 1, 4)
            a = torch.softmax(q @ k.transpose(-1, -2) * (d // heads) ** -0.5 + mask, -1)
            x = x + self.o((a @ v).transpose(1, 2).reshape(b, n, d))
            return x + self.down(F.gelu(self.up(self.ln2(x))))

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.words, self.places = nn.Embedding(vocab, d), nn.Embedding(512, d)
            self.blocks = nn.ModuleList(Block() for _ in range(layers))
            self.ln, self.head = nn.LayerNorm(d), nn.Linear(d, vocab)
            self.register_buffer("mask", torch.full((length, length), float("-inf")).triu(1))

        def forward(self, tokens):
            x = self.words(tokens) + self.places.weight[: tokens.shape[1]]
            for block in self.blocks:
                x = block(x, self.mask)
            return self.head(self.ln(x))

    return Model()


def rate(torch, name, seconds):
    d, heads, layers, length, batch, vocab = SIZES[name]
    torch.manual_seed(1)
    model = model_of(torch, d, heads, layers, length, vocab)
    optimiser = torch.optim.AdamW(model.parameters(), lr=2e-3, betas=(0.9, 0.98), weight_decay=0.01)
    tokens = torch.randint(vocab, (batch, length))
    targets = torch.randint(vocab, (batch, length))

    def step():
        optimiser.zero_grad(set_to_none=True)
        logits = model(tokens)
        torch.nn.functional.cross_entropy(logits.view(-1, vocab), targets.view(-1)).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()

    step()
    rates = []
    for _ in range(7):
        start, steps = time.perf_counter(), 0
        while time.perf_counter() - start < seconds:
            step()
            steps += 1
        rates.append(steps / (time.perf_counter() - start))
    return sorted(rates)


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 0.5
    try:
        import torch
    except ImportError:
        sys.exit("PyTorch is not installed (Debian: python3-torch)")
    for name in SIZES:
        best = []
        for threads in sorted({1, os.cpu_count() or 1}):
            torch.set_num_threads(threads)
            best = max(best, rate(torch, name, seconds), key=lambda r: r[len(r) // 2] if r else 0)
        print(f"{name}: {best[3]:.1f} steps/s [{best[0]:.1f}, {best[-1]:.1f}]")


if __name__ == "__main__":
    main()
