# docker build --tag headlight . && docker run --publish 8501:8501 headlight
FROM python:3.11-slim

RUN useradd --create-home headlight
WORKDIR /home/headlight/source
RUN pip install --no-cache-dir torch==2.13.0 --index-url https://download.pytorch.org/whl/cpu
COPY . .
RUN pip install --no-cache-dir .

USER headlight
WORKDIR /home/headlight
# One thread computes one sentence: more would wait for each other when a class types.
ENV OMP_NUM_THREADS=1
EXPOSE 8501
HEALTHCHECK --start-period=60s CMD python -c \
    "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=5)"
CMD ["headlight", "--port", "8501"]
